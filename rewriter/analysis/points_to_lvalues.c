/* points_to_lvalues.c - which objects may an lvalue be, or be a part of?
 *
 * Needs: the roots of values. Gives: the roots of lvalues. Raises: nothing. */
#include "effects_parts.h"

static void named_lvalue(pl_walk *w, const pl_node *node, pl_roots *roots) {
  pl_decl *decl = node->decl;
  bool reference = decl && pl_is_reference(decl->type);
  bool variable = decl && decl->kind == PL_DECL_VAR;
  bool handed = reference && pl_is_lambda_parameter(w, decl);
  if (decl && pl_is_argument_object(decl))
    pl_add_root(w->context->unit->arena, roots, (pl_root){0});
  else if (decl && (decl->kind == PL_DECL_TEMPLATE_VALUE ||
               decl->kind == PL_DECL_ENUM_CONSTANT))
    pl_add_root(w->context->unit->arena, roots, pl_temporary_root());
  else if (variable && reference && decl->owner && decl->init)
    pl_lvalue_roots(w, decl->init, roots);
  else if (handed && pl_bound_roots(w, node->decl, true, roots))
    return;
  else if (handed) {
    pl_add_root(w->context->unit->arena, roots, (pl_root){0});
    if (w->context->told)
      pl_local_member_roots(w, decl, PL_STR("&"), roots);
  }
  else if (!decl || (variable && reference) || handed ||
           (!variable && decl->kind != PL_DECL_PARAM))
    pl_add_root(w->context->unit->arena, roots, (pl_root){0});
  else
    pl_add_root(w->context->unit->arena, roots, (pl_root){decl, {0}});
}

/* What a member that is a reference names: where its object lies in memory that
 * others see, or is not told apart from what it points to, that is not known. */
static void reference_roots(pl_walk *w, const pl_node *node, pl_roots *roots) {
  pl_node *object = node->nkids ? node->kids[0] : NULL;
  pl_roots holder = {0};
  if (!object)
    pl_add_root(w->context->unit->arena, &holder, pl_this_root(w));
  else if (node->is_arrow)
    pl_address_roots(w, object, &holder);
  else
    pl_lvalue_roots(w, object, &holder);
  for (size_t i = 0; i < holder.n; i++) {
    pl_root root = holder.items[i];
    bool local = root.decl && !root.member.n &&
                 root.decl->kind == PL_DECL_VAR &&
                 pl_root_space(root) == PL_SPACE_LOCAL &&
                 pl_record_member(root.decl->type, node->name);
    if (local || pl_root_is_this(root))
      pl_load_through(w, root, node->name, roots);
    else
      pl_add_root(w->context->unit->arena, roots, (pl_root){0});
  }
}

static void member_lvalue(pl_walk *w, const pl_node *node, pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  if (pl_is_static_member(node))
    named_lvalue(w, node, roots);
  else if (node->decl && pl_is_reference(node->decl->type))
    reference_roots(w, node, roots);
  else if (node->nkids == 0 || !node->kids[0])
    pl_add_root(arena, roots, pl_this_root(w));
  else if (node->is_arrow)
    pl_address_roots(w, node->kids[0], roots);
  else
    pl_lvalue_roots(w, node->kids[0], roots);
}

/* `a[i]`, and `i[a]`. */
static void subscript_lvalue(pl_walk *w, const pl_node *node, pl_roots *roots) {
  bool swapped = pl_is_pointer_like(node->kids[1]->type) &&
                 !pl_is_pointer_like(node->kids[0]->type);
  pl_address_roots(w, node->kids[swapped], roots);
}

/* `Slot<T>{v}`: an object of its own, that holds nothing of what it is made from but
 * values. */
static bool makes_object(const pl_node *cast) {
  const pl_type *type = cast->type;
  return type && type->kind == PL_TYPE_RECORD && type->is_user &&
         !type->keeps_addresses && !type->has_references;
}

/* ... or one that may hold a name of what it is made from, a number or a pointer: what
 * is done to its members is done there. */
static bool makes_holder(const pl_node *cast) {
  const pl_type *type = cast->type;
  const pl_node *from = pl_node_bare(cast->kids[0]);
  const pl_type *given = from ? pl_no_reference(from->type) : NULL;
  return type && type->kind == PL_TYPE_RECORD && type->is_user &&
         (type->keeps_addresses || type->has_references) && given &&
         given->kind != PL_TYPE_RECORD && given->kind != PL_TYPE_DEPENDENT;
}

/* A value that no name stands for: it lies where nothing else finds it. */
static bool is_temporary(const pl_node *node) {
  switch (node->kind) {
  case PL_NODE_LAMBDA:
  case PL_NODE_INT:
  case PL_NODE_FLOATING:
  case PL_NODE_STRING:
  case PL_NODE_SIZEOF:
  case PL_NODE_CONSTRUCT:
  case PL_NODE_INIT_LIST:
    return true;
  case PL_NODE_CAST:
    return makes_object(node);
  case PL_NODE_BINARY:
    return pl_makes_number(node->op) ||
           (node->op >= PL_OP_LAND && node->op <= PL_OP_NE);
  default:
    return false;
  }
}

/* Roots of the object that an lvalue names; never none. */
void pl_lvalue_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  node = pl_node_bare(node);
  if (!node) {
    pl_add_root(arena, roots, (pl_root){0});
    return;
  }
  if (is_temporary(node)) {
    pl_add_root(arena, roots, pl_temporary_root());
    return;
  }
  switch (node->kind) {
  case PL_NODE_REF:
    named_lvalue(w, node, roots);
    return;
  case PL_NODE_SUBSCRIPT:
    subscript_lvalue(w, node, roots);
    return;
  case PL_NODE_MEMBER:
    member_lvalue(w, node, roots);
    return;
  case PL_NODE_UNARY:
    if (node->op == PL_OP_DEREF)
      pl_address_roots(w, node->kids[0], roots);
    else
      pl_lvalue_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_CAST:
    if (makes_holder(node)) {
      pl_add_root(arena, roots, (pl_root){0});
      return;
    }
    pl_lvalue_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_ASSIGN:
    pl_lvalue_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_COND:
    pl_lvalue_roots(w, node->kids[1], roots);
    pl_lvalue_roots(w, node->kids[2], roots);
    return;
  case PL_NODE_CALL: {
    pl_roots found = {0};
    pl_call_roots(w, node, &found);
    pl_never_empty(arena, &found);
    for (size_t i = 0; i < found.n; i++)
      pl_add_root(arena, roots, found.items[i]);
    return;
  }
  case PL_NODE_BINARY:
    if (node->op == PL_OP_COMMA)
      pl_lvalue_roots(w, node->kids[1], roots);
    else
      pl_add_root(arena, roots, (pl_root){0});
    return;
  default:
    pl_add_root(arena, roots, (pl_root){0});
  }
}
