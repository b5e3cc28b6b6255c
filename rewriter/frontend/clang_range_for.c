/* clang_range_for.c - range-based for over an array whose size is known. */
#include "clang_parts.h"

/* A node without text of the user's, and so without a place. */
static pl_node *made_node(pl_fe *f, pl_node_kind kind) {
  pl_node *node = PL_NEW(f->arena, pl_node);
  node->kind = kind;
  node->from_macro = true;
  pl_fe_room_for_kids(f, node, 2);
  return node;
}

/* The type of an array; of `auto &row` in a template, that of what it was bound
 * to. NULL: it is none. */
static const pl_type *array_type(const pl_node *node) {
  const pl_type *type = node->type;
  bool named = node->kind == PL_NODE_REF && node->decl && node->decl->init;
  if (named && node->decl->type &&
      node->decl->type->kind == PL_TYPE_REFERENCE &&
      !(type && type->kind == PL_TYPE_ARRAY))
    type = node->decl->init->type;
  return type && type->kind == PL_TYPE_ARRAY ? type : NULL;
}

/* `a[...]` for the element that the variable of `for (auto &x : a)` is. */
static pl_node *element_of(pl_fe *f, pl_node *array) {
  pl_node *node = made_node(f, PL_NODE_SUBSCRIPT);
  node->type = array_type(array)->element;
  pl_fe_add_kid(node, array);
  pl_fe_add_kid(node, made_node(f, PL_NODE_EMPTY));
  node->kids[1]->parent = node; /* the array stays the loop's own */
  return node;
}

/* What clang shows for the variable's value is an iterator with a name that it
 * made up; an element of the array, or one of the numbers of a list, stands in
 * its place. */
static void give_element(pl_fe *f, pl_node *node) {
  pl_node *var = node->nkids == 3 ? node->kids[0] : NULL;
  pl_node *range = var ? pl_node_bare(node->kids[1]) : NULL;
  if (!range || var->kind != PL_NODE_VAR || !var->decl)
    return;
  bool list = range->kind == PL_NODE_INIT_LIST && pl_is_number_type(var->decl->type);
  bool array = range->kind != PL_NODE_INIT_LIST && array_type(range);
  if (!list && !array)
    return;
  pl_node *value = list ? made_node(f, PL_NODE_EMPTY) : element_of(f, range);
  if (list)
    pl_fe_add_kid(value, range);
  pl_fe_room_for_kids(f, var, 1);
  var->nkids = 0;
  pl_fe_add_kid(var, value);
  pl_fe_adopt(var);
  var->decl->init = value;
}

/* A loop inside may go over what the outer one's variable now is. */
static bool give_inner_element(pl_node *node, void *context) {
  if (node->kind == PL_NODE_RANGE_FOR && !pl_node_is_array_range(node))
    give_element(context, node);
  return true;
}

pl_node *pl_fe_build_range_for(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_build_control(f, cursor, PL_NODE_RANGE_FOR);
  give_element(f, node);
  pl_node_walk(node->nkids ? node->kids[node->nkids - 1] : NULL,
               give_inner_element, f);
  if (node->nkids)
    pl_fe_extend_statement(f, node->kids[node->nkids - 1]);
  pl_fe_extend_statement(f, node);
  return pl_fe_finish(f, node);
}
