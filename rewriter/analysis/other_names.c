/* other_names.c - does a variable of the thread's own get another name?
 *
 * Needs: addresses. Gives: what holds the address of a variable, or is a
 * reference to it. Raises: nothing.
 *
 * The two sides of a rewritten loop have variables of their own under one name:
 * another name goes on meaning one of the two. */
#include "addresses.h"
#include "varies.h"

bool pl_is_of_call(const pl_loop *loop, const pl_decl *decl) {
  for (uint32_t i = 0; i < loop->func->nparams; i++)
    if (loop->func->params[i] == decl)
      return false;
  return (!decl->is_static && pl_in_lambda(decl->node)) ||
         decl->kind == PL_DECL_PARAM;
}

/* Names in a lambda are those of where it stands. */
static bool is_lambda(const pl_decl *decl) {
  const pl_node *init = decl->init ? pl_node_bare(decl->init) : NULL;
  return init && init->kind == PL_NODE_LAMBDA;
}

const pl_node *pl_other_name(pl_loop *loop, const pl_decl *decl) {
  pl_holders holders = {0};
  pl_find_holders(loop, decl, &holders);
  for (size_t i = 0; i < holders.n; i++) {
    const pl_decl *by = holders.items[i].decl;
    if (by != decl && !is_lambda(by) && !pl_is_of_call(loop, by))
      return by->node ? by->node : loop->node;
  }
  return holders.stored_at;
}

static bool is_plain_name(const pl_node *node, const pl_decl *decl) {
  node = pl_node_bare((pl_node *)node);
  while (node && (node->kind == PL_NODE_MEMBER ||
                  node->kind == PL_NODE_SUBSCRIPT))
    node = node->nkids ? pl_node_bare(node->kids[0]) : NULL;
  return node && node->kind == PL_NODE_REF && node->decl == decl;
}

/* `-> int &` may hand a name out. */
static bool has_trailing_type(const pl_unit *unit, const pl_node *lambda) {
  pl_range head = {lambda->range.begin,
                   lambda->kids[lambda->nkids - 1]->range.begin};
  return pl_str_has(pl_unit_slice(unit, head), "->");
}

bool pl_reads_alone(const pl_loop *loop, const pl_node *lambda,
                    const pl_decl *decl) {
  if (!lambda->nkids || !pl_node_within(lambda, loop->body) ||
      has_trailing_type(loop->unit, lambda))
    return false;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (pl_writes_decl(&loop->stmts[i].effects, decl))
      return false;
  for (uint32_t i = 0; i < lambda->nkids; i++) {
    pl_effects effects = pl_effects_in(loop, lambda->kids[i]);
    if (pl_writes_decl(&effects, decl) || pl_second_name(NULL, lambda->kids[i], decl))
      return false;
  }
  return true;
}

/* Whether a lambda has a variable itself: a parameter, or a local of its body. */
static bool is_its_own(const pl_node *lambda, const pl_decl *decl) {
  return lambda->kind == PL_NODE_LAMBDA && lambda->func &&
         (pl_param_index(lambda->func, decl) >= 0 ||
          (decl->node && pl_node_within(decl->node, lambda)));
}

/* An address that is only passed to a call is followed there. */
const pl_node *pl_second_name(const pl_loop *loop, const pl_node *node,
                              const pl_decl *decl) {
  const pl_node *lambda = node;
  if (node && node->kind == PL_NODE_VAR && node->nkids && node->kids[0])
    lambda = pl_node_bare(node->kids[0]);
  if (!node || (loop && lambda->kind == PL_NODE_LAMBDA &&
                pl_reads_alone(loop, lambda, decl)))
    return NULL;
  bool argument = node->parent && node->parent->kind == PL_NODE_CALL;
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR && !argument &&
      is_plain_name(node->kids[0], decl) &&
      !(node->parent && node->parent->kind == PL_NODE_CAST))
    return node;
  const pl_type *type = node->decl ? node->decl->type : NULL;
  bool record = type && type->kind == PL_TYPE_RECORD &&
                !type->is_trivially_copyable;
  if (node->kind == PL_NODE_VAR && node->nkids && node->kids[0] && type &&
      type->kind == PL_TYPE_REFERENCE && is_plain_name(node->kids[0], decl))
    return node;
  if (node->kind == PL_NODE_VAR && record && node->nkids &&
      !is_its_own(lambda, decl) && pl_mentions(node->kids[0], decl))
    return node;
  if (node->kind == PL_NODE_OTHER_DECL ||
      (node->kind == PL_NODE_LAMBDA && !is_its_own(node, decl)) ||
      (node->kind == PL_NODE_RANGE_FOR && !pl_node_is_array_range(node)))
    return pl_mentions(node, decl) ? node : NULL;
  for (uint32_t i = 0; i < node->nkids; i++) {
    const pl_node *found = pl_second_name(loop, node->kids[i], decl);
    if (found)
      return found;
  }
  return NULL;
}

bool pl_has_second_name(const pl_loop *loop, pl_decl *decl) {
  if (!decl->knows_names)
    decl->has_second_name = pl_second_name(NULL, loop->func->body, decl) ||
                            pl_other_name((pl_loop *)loop, decl);
  decl->knows_names = true;
  return decl->has_second_name;
}

static bool is_made_from(pl_node *node, const void *decl) {
  const pl_type *type = node->decl ? node->decl->type : NULL;
  return node->kind == PL_NODE_VAR && node->decl != decl && type &&
         type->kind == PL_TYPE_RECORD && pl_mentions(node, decl);
}

bool pl_is_of_iteration(const pl_loop *loop, const pl_decl *decl) {
  return pl_declared_inside(decl, loop->body) && !decl->is_static &&
         !(decl->type && decl->type->kind == PL_TYPE_REFERENCE) &&
         !(loop->cond && pl_mentions(loop->cond, decl)) &&
         !pl_second_name(NULL, loop->body, decl) &&
         !pl_other_name((pl_loop *)loop, decl) &&
         !pl_node_find(loop->body, is_made_from, decl);
}
