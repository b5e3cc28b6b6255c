/* slice_objects.c - may both sides have an object that moves on, each its own?
 *
 * Needs: the objects that step, where their pointers lead. Gives: whether a copy
 * of one is as good as the object itself. Raises: nothing.
 *
 * It is where the object is a set of numbers and pointers that stand for
 * themselves, or where all that its methods do with it they do by its members,
 * so that none of them knows where it is. */
#include "slices.h"

typedef struct part_walk {
  const pl_decl *object;
  pl_node *name; /* the first one */
  bool parts;
} part_walk;

/* Whether a name of an object stands for a number or pointer in it. */
static bool names_part(const pl_node *ref) {
  const pl_node *at = ref;
  while (at->parent && at->parent->kind == PL_NODE_MEMBER &&
         !at->parent->is_arrow && at->parent->decl && at->parent->decl->is_field)
    at = at->parent;
  return at != ref && pl_is_value_type(at->type);
}

static bool find_other_name(pl_node *node, void *context) {
  part_walk *w = context;
  if (node->kind != PL_NODE_REF || node->decl != w->object)
    return true;
  w->name = w->name ? w->name : node;
  w->parts = w->parts && names_part(node);
  return true;
}

/* No code makes or changes it, and nothing knows where it is. */
static bool is_set_of_parts(const pl_loop *loop, const pl_decl *decl,
                            bool parts) {
  const pl_type *type = decl->type;
  return parts && type->is_trivially_copyable && !type->is_union &&
         !type->has_constructors && !type->begins_by_code &&
         !type->runs_code && !type->has_operators &&
         !pl_second_name(NULL, loop->func->body, decl);
}

/* A record that is copied bit by bit, whatever constructor it is made by. */
static bool is_copied_plainly(const pl_type *type) {
  return type->is_trivially_copyable && !type->is_union && !type->runs_code &&
         !type->copies_by_code && !type->has_own_address &&
         (!type->has_constructors || type->made_plainly);
}

/* `&at` and `&row[i]` of members that are numbers, or hold them. */
static bool is_place_in_object(const pl_node *node) {
  const pl_node *at = node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR
                          ? pl_node_bare(node->kids[0])
                          : NULL;
  while (at && at->nkids && at->kids[0] &&
         (at->kind == PL_NODE_MEMBER || at->kind == PL_NODE_SUBSCRIPT)) {
    const pl_node *base = pl_node_bare(at->kids[0]);
    if (base->kind == PL_NODE_THIS)
      return true;
    bool array = base->type && base->type->kind == PL_TYPE_ARRAY;
    if (at->is_arrow || (at->kind == PL_NODE_SUBSCRIPT && !array))
      return false;
    at = base;
  }
  return at && at->kind == PL_NODE_MEMBER;
}

static bool keeps_place(pl_node *node, const void *unused) {
  (void)unused;
  const pl_node *up = node->parent;
  const pl_type *from = node->kind == PL_NODE_CAST && node->nkids
                            ? node->kids[0]->type
                            : NULL;
  bool number = from && node->type && node->type->kind == PL_TYPE_INT &&
                from->kind != PL_TYPE_INT && from->kind != PL_TYPE_FLOAT &&
                from->kind != PL_TYPE_BOOL && from->kind != PL_TYPE_ENUM;
  bool member = up && up->kind == PL_NODE_MEMBER && up->kids[0] == node;
  bool itself = up && up->kind == PL_NODE_UNARY && up->op == PL_OP_DEREF &&
                up->parent && up->parent->kind == PL_NODE_RETURN;
  return number || is_place_in_object(node) || node->kind == PL_NODE_ASM ||
         node->kind == PL_NODE_LAMBDA ||
         (node->kind == PL_NODE_THIS && !member && !itself);
}

static bool methods_keep_place(const pl_unit *unit) {
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (unit->funcs[i]->is_method &&
        pl_node_find(unit->funcs[i]->body, keeps_place, NULL))
      return true;
  return false;
}

/* Whether a pointer in an object may lead into the object itself. */
static bool leads_to_itself(const pl_loop *loop, const pl_decl *decl,
                            pl_node *name) {
  pl_roots roots = pl_roots_in(loop, name);
  for (size_t i = 0; i < roots.n; i++)
    if (!roots.items[i].decl || roots.items[i].decl == decl)
      return true;
  return false;
}

bool pl_may_be_copied(const pl_loop *loop, pl_decl *decl) {
  part_walk w = {decl, NULL, true};
  pl_node_walk(loop->func->body, find_other_name, &w);
  return is_set_of_parts(loop, decl, w.parts) ||
         (w.name && is_copied_plainly(decl->type) &&
          !pl_has_second_name(loop, decl) &&
          !leads_to_itself(loop, decl, w.name) &&
          !methods_keep_place(loop->unit));
}
