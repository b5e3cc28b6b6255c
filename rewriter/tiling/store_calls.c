/* store_calls.c - `put(&As[i], get(&A[j]))`, `put(As[i], A[j])` as the assignment
 * that it is.
 *
 * Needs: a call that writes to a tile. Gives: in its place an assignment to what
 * the called function stores to, where that stores one of its two arguments, or
 * what it makes of it, by way of the other, a pointer or a reference, and does
 * nothing else. Raises nothing: other calls are load helpers (load_helpers.c).
 *
 * What loads is an argument here, so the function itself need not be cut: the value
 * waits in a register, and the call goes with the stores. */
#include "copies.h"

/* The parameter that an expression is, as a pointer under another type or not;
 * -1: something else. */
static int parameter_of(const pl_func *func, pl_node *node) {
  node = pl_node_bare(node);
  while (node && node->kind == PL_NODE_CAST && node->nkids == 1)
    node = pl_node_bare(node->kids[0]);
  for (uint32_t i = 0; node && i < func->nparams; i++)
    if (node->kind == PL_NODE_REF && node->decl == func->params[i])
      return (int)i;
  return -1;
}

/* The pointer by which a cell is named: `p` of `*p` and `p[0]`. */
static pl_node *pointer_of(pl_node *cell) {
  cell = pl_node_bare(cell);
  if (cell->kind == PL_NODE_UNARY && cell->op == PL_OP_DEREF)
    return cell->kids[0];
  return cell->kind == PL_NODE_SUBSCRIPT && pl_node_is_zero(cell->kids[1])
             ? cell->kids[0]
             : NULL;
}

/* The parameter by which an assignment's cell is named: a pointer to it, or a
 * reference; -1: neither. */
static int place_of(const pl_func *func, const pl_node *store) {
  pl_node *cell = pl_node_bare(store->kids[0]);
  pl_node *pointer = pointer_of(cell);
  int to = parameter_of(func, pointer ? pointer : cell);
  const pl_type *type = to < 0 ? NULL : func->params[to]->type;
  bool reference = type && type->kind == PL_TYPE_REFERENCE;
  return reference == !pointer && (pointer || cell->kind == PL_NODE_REF) ? to
                                                                         : -1;
}

/* The assignment that is all a function does, NULL: it does something else. */
static pl_node *only_store(const pl_func *func) {
  pl_node *store = func->body->nkids == 1 ? func->body->kids[0] : NULL;
  return store && store->kind == PL_NODE_ASSIGN && store->op == PL_OP_ASSIGN
             ? store
             : NULL;
}

/* A value that the register of an argument can stand for. */
static bool takes_value(const pl_decl *param) {
  const pl_type *type = param->type;
  if (type && type->kind == PL_TYPE_REFERENCE)
    return type->element && type->element->is_const;
  return type && type->kind != PL_TYPE_POINTER;
}

/* Whether an expression of the function is made of its parameters alone. */
static bool is_of_parameters(pl_loop *loop, const pl_func *func,
                             pl_node *value) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, func, value, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ || !effects.items[i].direct)
      return false;
  return true;
}

/* Whether a parameter takes a variable that is not const rather than a value:
 * `float &`, and of a template `T &&`. One that is not seen might. */
static bool prefers_variable(const pl_func *func, int index) {
  if (index >= (int)func->nparams)
    return func->is_template;
  const pl_type *type = func->params[index]->type;
  return !type || (type->kind == PL_TYPE_REFERENCE &&
                   !(type->element && type->element->is_const));
}

/* Whether another function of its name would be called where the argument is a
 * register, a variable that is not const: `put(float &, float &)` and not
 * `put(float &, const float &)`. */
static bool leads_elsewhere(const pl_unit *unit, const pl_func *func,
                            int stored) {
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *other = unit->funcs[i];
    if (other != func && prefers_variable(other, stored) &&
        pl_str_eq(pl_before_angle(other->name), pl_before_angle(func->name)))
      return true;
  }
  return false;
}

/* The argument that a call stores, and *to, the one that says where; -1: it does
 * not do that. */
static int stored_argument(pl_loop *loop, const pl_node *call, int *to) {
  const pl_func *func = call->decl ? call->decl->func : NULL;
  if (!func || !func->body || func->is_method || func->outer ||
      func->nparams != 2 || call->nkids != 3 ||
      !pl_arguments_are_spelled_out(call) || !pl_node_is_statement(call))
    return -1;
  pl_node *store = only_store(func);
  *to = store ? place_of(func, store) : -1;
  if (*to < 0 || !takes_value(func->params[1 - *to]) ||
      pl_mentions(store->kids[1], func->params[*to]) ||
      !is_of_parameters(loop, func, store->kids[1]) ||
      leads_elsewhere(loop->unit, func, 1 - *to) ||
      pl_reads_global(loop, call->kids[*to + 1]))
    return -1;
  return 1 - *to;
}

static pl_node *with_kid(pl_loop *loop, const pl_node *of, pl_node *kid) {
  pl_node *node = PL_NEW(loop->arena, pl_node);
  *node = *of;
  node->range = kid->range;
  node->nkids = 1;
  node->kids = PL_NEW_ARRAY(loop->arena, pl_node *, 1);
  node->kids[0] = kid;
  kid->parent = node;
  return node;
}

/* The casts of a pointer in the function, around the caller's argument. */
static pl_node *cast_of(pl_loop *loop, pl_node *pointer, pl_node *arg) {
  pointer = pl_node_bare(pointer);
  return pointer->kind == PL_NODE_CAST
             ? with_kid(loop, pointer, cast_of(loop, pointer->kids[0], arg))
             : arg;
}

static pl_node *pointed_to(pl_loop *loop, pl_node *pointer,
                           const pl_type *type) {
  const pl_node deref = {
      .kind = PL_NODE_UNARY, .op = PL_OP_DEREF, .type = type};
  return with_kid(loop, &deref, pointer);
}

/* The type of the register: of the parameter, or where a template leaves that open,
 * of the value. */
static const pl_type *register_type(const pl_func *func, const pl_decl *param,
                                    const pl_node *value) {
  const pl_type *type = func->is_template ? value->type : param->type;
  return pl_no_reference(type);
}

bool pl_stores_argument(pl_loop *loop, pl_node *call) {
  int to, stored = stored_argument(loop, call, &to);
  if (stored < 0)
    return false;
  const pl_func *func = call->decl->func;
  pl_node *value = call->kids[stored + 1], *arg = call->kids[to + 1];
  const pl_type *type = register_type(func, func->params[stored], value);
  pl_node **kids = PL_NEW_ARRAY(loop->arena, pl_node *, 2);
  pl_node *pointer = pointer_of(only_store(func)->kids[0]);
  kids[0] = pointer ? pointed_to(loop, cast_of(loop, pointer, arg), type) : arg;
  kids[1] = value;
  call->kind = PL_NODE_ASSIGN;
  call->op = PL_OP_ASSIGN;
  call->op_range = (pl_range){arg->range.end, arg->range.end};
  call->type = type;
  call->kids = kids;
  call->nkids = 2;
  kids[0]->parent = kids[1]->parent = call;
  return true;
}
