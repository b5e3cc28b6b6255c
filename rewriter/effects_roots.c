/* effects_roots.c - which objects does an address come from?
 *
 * Needs: roots of local pointers, summaries of callees. Gives: the roots of
 * values and of lvalues. Raises: nothing. */
#include "effects_parts.h"

/* Roots of a pointer that is read out of the memory at `node`. */
static void loaded_pointer_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  pl_roots holder = {0};
  pl_lvalue_roots(w, node, &holder);
  pl_arena *arena = w->context->unit->arena;
  for (size_t i = 0; i < holder.n; i++) {
    pl_root root = holder.items[i];
    pl_space space = pl_root_space(root);
    if (pl_root_is_this(root) && !root.member.n) {
      pl_str name = node->kind == PL_NODE_MEMBER ? node->name : PL_STR("");
      pl_add_root(
          arena, roots,
          (pl_root){root.decl, pl_arena_printf(arena, "*%.*s", PL_FMT(name))});
    } else if (space == PL_SPACE_LOCAL && root.decl->kind == PL_DECL_VAR)
      pl_local_pointer_roots(w, root.decl, roots);
    else if (space == PL_SPACE_GLOBAL || space == PL_SPACE_CONSTANT)
      pl_add_root(arena, roots,
                  (pl_root){root.decl, pl_arena_printf(arena, "*%.*s",
                                                       PL_FMT(root.member))});
    else
      pl_add_root(arena, roots, (pl_root){0});
  }
}

/* A parameter of a lambda in the function: what it is given is not followed. */
static bool is_lambda_parameter(const pl_walk *w, const pl_decl *decl) {
  return decl->kind == PL_DECL_PARAM && w->func &&
         pl_param_index(w->func, decl) < 0 &&
         (pl_is_pointer_like(decl->type) || pl_is_reference(decl->type) ||
          (decl->type && decl->type->kind == PL_TYPE_RECORD));
}

void pl_argument_roots(pl_walk *w, const pl_func *callee, pl_node *call,
                       int index, pl_roots *roots) {
  pl_node *arg = pl_argument(call, index);
  if (!arg)
    return;
  if (pl_is_reference(callee->params[index]->type) &&
      !pl_is_pointer(callee->params[index]->type))
    pl_lvalue_roots(w, arg, roots);
  else
    pl_value_roots(w, arg, roots);
}

/* A root inside a member function, as roots of the object that the function is
 * called on. */
void pl_object_roots(pl_walk *w, const pl_node *call, pl_root root,
                     pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  pl_node *member = pl_is_member_function(call) ? call->kids[0] : NULL;
  pl_node *object = member && member->nkids ? member->kids[0] : NULL;
  pl_node *bare = object ? pl_node_bare(object) : NULL;
  if (!bare) {
    pl_add_root(arena, roots, (pl_root){0});
    return;
  }
  if (!root.member.n && member->is_arrow) {
    pl_value_roots(w, object, roots);
    return;
  }
  if (!root.member.n) {
    pl_lvalue_roots(w, object, roots);
    return;
  }
  pl_decl *decl =
      bare->kind == PL_NODE_REF && !member->is_arrow ? bare->decl : NULL;
  bool own =
      decl && decl->owner && !decl->is_shared && !pl_is_reference(decl->type);
  if (own && decl->kind == PL_DECL_VAR)
    pl_local_pointer_roots(w, decl, roots);
  else if (own && decl->kind == PL_DECL_PARAM)
    pl_add_root(arena, roots,
                (pl_root){decl, {root.member.p + 1, root.member.n - 1}});
  else if (bare->kind == PL_NODE_THIS)
    pl_add_root(arena, roots, root);
  else
    pl_add_root(arena, roots, (pl_root){0});
}

void pl_call_roots(pl_walk *w, pl_node *call, pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  const pl_func *callee = pl_callee_of(call);
  if (callee) {
    pl_summary *s = pl_summarise(w->context, callee);
    if (s->busy) {
      pl_add_root(arena, roots, (pl_root){0});
      return;
    }
    for (size_t i = 0; i < s->returned.n; i++) {
      pl_root root = s->returned.items[i];
      int index = root.decl ? pl_param_index(callee, root.decl) : -1;
      if (pl_root_is_this(root))
        pl_object_roots(w, call, root, roots);
      else if (index >= 0 && root.member.n == 0)
        pl_argument_roots(w, callee, call, index, roots);
      else
        pl_add_root(arena, roots, root);
    }
    return;
  }
  pl_behaviour what = pl_behaviour_of(call);
  if (what == CALL_ADDRESS)
    for (uint32_t i = 1; i < call->nkids; i++)
      pl_value_roots(w, call->kids[i], roots);
  else if (what == CALL_VALUE || what == CALL_LOAD || what == CALL_WARP ||
           what == CALL_VOLATILE_LOAD || what == CALL_TEXTURE)
    for (uint32_t i = 1; i < call->nkids; i++) {
      if (pl_is_pointer(call->type))
        pl_add_root(arena, roots, (pl_root){0});
    }
  else
    pl_add_root(arena, roots, (pl_root){0});
}

/* Whether an integer expression holds a shared address in disguise. */
bool pl_carries_address(const pl_node *node) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_CALL &&
      pl_str_starts(node->name, "__cvta_generic_to"))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (pl_carries_address(node->kids[i]))
      return true;
  return false;
}

/* Roots of the pointer (or of the address inside an integer) that an
 * expression gives. */
void pl_value_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  if (!node)
    return;
  switch (node->kind) {
  case PL_NODE_PAREN:
  case PL_NODE_CAST:
    if (node->nkids)
      pl_value_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_REF: {
    pl_decl *decl = node->decl;
    if (!decl || is_lambda_parameter(w, decl))
      pl_add_root(arena, roots, (pl_root){0});
    else if (decl->type && pl_is_reference(decl->type) &&
             decl->kind == PL_DECL_VAR)
      pl_local_pointer_roots(w, decl, roots);
    else if (decl->is_shared && pl_is_pointer(decl->type))
      pl_add_root(arena, roots, (pl_root){0});
    else if (pl_type_is_deref_array(node) || decl->is_shared)
      pl_add_root(arena, roots, (pl_root){decl, {0}});
    else if (decl->kind == PL_DECL_VAR && decl->owner)
      pl_local_pointer_roots(w, decl, roots);
    else if (decl->kind == PL_DECL_PARAM || decl->kind == PL_DECL_VAR) {
      pl_add_root(arena, roots, (pl_root){decl, {0}});
      if (decl->kind == PL_DECL_PARAM && decl->owner)
        pl_local_pointer_roots(w, decl, roots);
      if (decl->type && decl->type->kind == PL_TYPE_RECORD)
        pl_add_root(arena, roots, (pl_root){0});
    }
    return;
  }
  case PL_NODE_UNARY:
    if (node->op == PL_OP_ADDR)
      pl_lvalue_roots(w, node->kids[0], roots);
    else if (node->op == PL_OP_DEREF)
      loaded_pointer_roots(w, node, roots);
    else if (node->nkids)
      pl_value_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_BINARY:
    if (node->op == PL_OP_COMMA) {
      pl_value_roots(w, node->kids[1], roots);
      return;
    }
    for (uint32_t i = 0; i < 2; i++)
      if (pl_is_pointer_like(node->kids[i] ? node->kids[i]->type : NULL) ||
          pl_carries_address(node->kids[i]) ||
          (node->kids[i] && node->kids[i]->type &&
           node->kids[i]->type->kind == PL_TYPE_DEPENDENT))
        pl_value_roots(w, node->kids[i], roots);
    return;
  case PL_NODE_ASSIGN:
    pl_value_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_COND:
    pl_value_roots(w, node->kids[1], roots);
    pl_value_roots(w, node->kids[2], roots);
    return;
  case PL_NODE_SUBSCRIPT:
    if (pl_type_is_deref_array(node))
      pl_lvalue_roots(w, node, roots);
    else
      loaded_pointer_roots(w, node, roots);
    return;
  case PL_NODE_MEMBER: {
    if (pl_type_is_deref_array(node)) {
      pl_lvalue_roots(w, node, roots);
      return;
    }
    pl_node *base = pl_node_bare(node->kids[0]);
    bool local = base && base->kind == PL_NODE_REF && base->decl &&
                 !node->is_arrow && !base->decl->is_shared;
    if (local && base->decl->kind == PL_DECL_VAR && base->decl->owner)
      pl_local_pointer_roots(w, base->decl, roots);
    else if (local)
      pl_add_root(arena, roots, (pl_root){base->decl, node->name});
    else
      loaded_pointer_roots(w, node, roots);
    return;
  }
  case PL_NODE_CALL:
    pl_call_roots(w, node, roots);
    return;
  case PL_NODE_INIT_LIST:
  case PL_NODE_CONSTRUCT:
    for (uint32_t i = 0; i < node->nkids; i++)
      pl_value_roots(w, node->kids[i], roots);
    return;
  case PL_NODE_THIS:
    pl_add_root(arena, roots, pl_this_root(w));
    return;
  case PL_NODE_INT:
  case PL_NODE_FLOATING:
  case PL_NODE_STRING:
  case PL_NODE_SIZEOF:
  case PL_NODE_LAMBDA:
    return;
  default:
    pl_add_root(arena, roots, (pl_root){0});
  }
}

/* Roots of the object that an lvalue names. */
void pl_lvalue_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  node = pl_node_bare(node);
  if (!node)
    return;
  switch (node->kind) {
  case PL_NODE_REF:
    if (node->decl && node->decl->kind == PL_DECL_VAR && node->decl->owner &&
        pl_is_reference(node->decl->type) && node->decl->init)
      pl_lvalue_roots(w, node->decl->init, roots);
    else if (node->decl && ((node->decl->kind == PL_DECL_VAR &&
                             pl_is_reference(node->decl->type)) ||
                            (pl_is_reference(node->decl->type) &&
                             is_lambda_parameter(w, node->decl)) ||
                            node->decl->kind == PL_DECL_OTHER))
      pl_add_root(arena, roots, (pl_root){0});
    else
      pl_add_root(arena, roots, (pl_root){node->decl, {0}});
    return;
  case PL_NODE_SUBSCRIPT:
    pl_value_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_MEMBER:
    if (node->decl && pl_is_reference(node->decl->type))
      pl_add_root(arena, roots, (pl_root){0});
    else if (node->nkids == 0 || !node->kids[0])
      pl_add_root(arena, roots, pl_this_root(w));
    else if (node->is_arrow)
      pl_value_roots(w, node->kids[0], roots);
    else
      pl_lvalue_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_UNARY:
    if (node->op == PL_OP_DEREF)
      pl_value_roots(w, node->kids[0], roots);
    else
      pl_lvalue_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_CAST:
    pl_lvalue_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_COND:
    pl_lvalue_roots(w, node->kids[1], roots);
    pl_lvalue_roots(w, node->kids[2], roots);
    return;
  case PL_NODE_CALL:
    pl_call_roots(w, node, roots);
    return;
  case PL_NODE_ASSIGN:
    pl_lvalue_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_BINARY:
    if (node->op == PL_OP_COMMA)
      pl_lvalue_roots(w, node->kids[1], roots);
    return;
  case PL_NODE_LAMBDA:
  case PL_NODE_INT:
  case PL_NODE_FLOATING:
  case PL_NODE_CONSTRUCT:
  case PL_NODE_INIT_LIST:
    return;
  default:
    pl_add_root(arena, roots, (pl_root){0});
  }
}
