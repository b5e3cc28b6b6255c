/* copy_calls.c - `put(&As[i], get(&A[j]))` where the functions do no more than to
 * read and to write what they are given a pointer to.
 *
 * Needs: a call that is the value of a store, or that store_calls.c made one.
 * Gives: the argument that says where is read, or written. Raises nothing: where
 * the types leave a doubt, there is no such argument.
 *
 * The functions' own accesses vouch for the alignment, as those of a loop's own
 * text do: they are as wide as the copy. */
#include "call_summary.h"
#include "copies.h"

/* What a pointer points to, or an array holds, NULL: it is neither. */
static const pl_type *pointee(const pl_type *type) {
  type = pl_no_reference(type);
  return type &&
                 (type->kind == PL_TYPE_POINTER || type->kind == PL_TYPE_ARRAY)
             ? type->element
             : NULL;
}

/* A function whose text is all that there is to its calls, and that no template
 * makes. */
static const pl_func *plain_callee(const pl_node *call) {
  const pl_func *func = call->decl ? call->decl->func : NULL;
  return func && func->body && func->in_main && !func->is_template &&
                 !func->is_method && !func->outer && !func->from_macro &&
                 func->body->nkids == 1
             ? func
             : NULL;
}

/* Whether a cast leaves the address as it is: one from class to class may not. */
static bool keeps_address(const pl_node *cast) {
  const pl_type *to = cast->type && cast->type->kind == PL_TYPE_POINTER
                          ? pointee(cast->type)
                          : NULL;
  const pl_type *from = pointee(pl_node_bare(cast->kids[0])->type);
  return to && from && !to->is_volatile && !from->is_volatile &&
         (pl_same_type(to, from) || !to->is_user || !from->is_user);
}

/* Whether an expression is a parameter, under another pointer type or not. */
static bool is_parameter(pl_node *node, const pl_decl *param) {
  for (node = pl_node_bare(node); node->kind == PL_NODE_CAST && node->nkids == 1;
       node = pl_node_bare(node->kids[0]))
    if (!keeps_address(node))
      return false;
  return pl_names_var(node, param);
}

/* Whether an argument is the pointer that a parameter is, and nothing that a
 * conversion makes one of. */
static bool is_handed_over(const pl_node *arg, const pl_decl *param) {
  const pl_type *to = param->type && param->type->kind == PL_TYPE_POINTER
                          ? param->type->element
                          : NULL;
  const pl_type *from = arg ? pointee(arg->type) : NULL;
  return to && from && !to->is_volatile && !from->is_volatile &&
         pl_same_type(to, from);
}

/* The pointer of `*p`, `p[0]` and, of a value, `__ldg(p)`; NULL: something else. */
static pl_node *read_pointer(pl_node *value) {
  value = pl_node_bare(value);
  if (value->kind == PL_NODE_UNARY && value->op == PL_OP_DEREF)
    return value->kids[0];
  if (value->kind == PL_NODE_CALL)
    return value->nkids == 2 && pl_calls_builtin(value, "__ldg")
               ? value->kids[1]
               : NULL;
  return value->kind == PL_NODE_SUBSCRIPT && pl_node_is_zero(value->kids[1])
             ? value->kids[0]
             : NULL;
}

/* Whether an access is of a whole object of a type that lies at multiples of its
 * size, and is no other than a value's. */
static bool is_access_of(const pl_node *access, const pl_type *type) {
  const pl_type *own = pl_no_reference(access->type);
  return own && type && !own->is_volatile && own->size > 0 &&
         own->align >= own->size && pl_same_type(own, type);
}

pl_node *pl_read_by_call(const pl_node *call) {
  const pl_func *func =
      call->kind == PL_NODE_CALL ? plain_callee(call) : NULL;
  const pl_node *stmt = func ? func->body->kids[0] : NULL;
  if (!stmt || stmt->kind != PL_NODE_RETURN || stmt->nkids != 1 ||
      !stmt->kids[0] || func->nparams != 1 || call->nkids != 2 ||
      !call->kids[1])
    return NULL;
  pl_node *value = pl_node_bare(stmt->kids[0]);
  pl_node *pointer = read_pointer(value);
  return pointer && is_parameter(pointer, func->params[0]) &&
                 is_handed_over(call->kids[1], func->params[0]) &&
                 is_access_of(value, call->type) &&
                 !pl_node_changes(call->kids[1])
             ? call->kids[1]
             : NULL;
}

/* Whether a function's type, as clang writes it, begins with `T &(`. */
static bool gives_reference(const pl_func *func) {
  pl_str text = func->decl && func->decl->type ? func->decl->type->spelling
                                               : (pl_str){NULL, 0};
  size_t n = 0;
  while (n < text.n && text.p[n] != '(')
    n++;
  return n > 2 && n < text.n && text.p[n - 1] == '&' && text.p[n - 2] != '&';
}

bool pl_named_by_call(const pl_node *call) {
  const pl_func *func = call->kind == PL_NODE_CALL && call->decl
                            ? call->decl->func
                            : NULL;
  const pl_node *stmt = func && func->body && func->body->nkids == 1
                            ? func->body->kids[0]
                            : NULL;
  if (!stmt || stmt->kind != PL_NODE_RETURN || stmt->nkids != 1 ||
      !stmt->kids[0] || func->outer || call->decl->is_virtual ||
      !gives_reference(func))
    return false;
  const pl_node *cell = pl_node_bare(stmt->kids[0]);
  const pl_type *base = cell->kind == PL_NODE_SUBSCRIPT && cell->kids[0]
                            ? pl_no_reference(pl_node_bare(cell->kids[0])->type)
                            : NULL;
  bool names = (base && base->kind == PL_TYPE_POINTER) ||
               (cell->kind == PL_NODE_UNARY && cell->op == PL_OP_DEREF);
  for (uint32_t i = 0; names && i < call->nkids; i++)
    names = !call->kids[i] || !pl_node_changes(call->kids[i]);
  return names && !cell->decl && !pl_node_changes(cell);
}

/* Whether the address of a cell is its text behind a `&`. */
static bool has_plain_address(const pl_node *cell) {
  return cell->kind == PL_NODE_REF || cell->kind == PL_NODE_SUBSCRIPT ||
         cell->kind == PL_NODE_MEMBER || cell->kind == PL_NODE_PAREN ||
         (cell->kind == PL_NODE_UNARY && cell->op == PL_OP_DEREF);
}

/* The caller's argument below what store_calls.c put around it. */
static pl_node *argument_below(const pl_node *pointer, pl_node *built) {
  for (pointer = pl_node_bare((pl_node *)pointer);
       pointer->kind == PL_NODE_CAST && pointer->nkids == 1;
       pointer = pl_node_bare(pointer->kids[0]))
    built = built->kids[0];
  return built;
}

pl_node *pl_written_by_call(const pl_node *store) {
  const pl_func *func = plain_callee(store);
  const pl_node *stmt = func ? func->body->kids[0] : NULL;
  if (!stmt || stmt->kind != PL_NODE_ASSIGN || stmt->op != PL_OP_ASSIGN ||
      func->nparams != 2 || store->nkids != 2)
    return NULL;
  uint32_t from = pl_names_var(stmt->kids[1], func->params[1]);
  const pl_decl *to = func->params[1 - from];
  pl_node *cell = pl_node_bare(stmt->kids[0]), *place = store->kids[0];
  if (!pl_names_var(stmt->kids[1], func->params[from]) ||
      !is_access_of(cell, func->params[from]->type) ||
      !pl_same_type(func->params[from]->type, store->kids[1]->type) ||
      pl_node_changes(place))
    return NULL;
  if (pl_names_var(cell, to))
    return pl_same_type(to->type, place->type) && has_plain_address(place)
               ? place
               : NULL;
  pl_node *pointer =
      cell->kind == PL_NODE_CALL ? NULL : read_pointer(cell);
  if (!pointer || !is_parameter(pointer, to))
    return NULL;
  place = argument_below(pointer, place->kids[0]);
  return is_handed_over(place, to) ? place : NULL;
}
