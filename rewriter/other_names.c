/* other_names.c - does a variable of the thread's own get another name?
 *
 * Needs: addresses. Gives: what holds the address of a variable, or is a
 * reference to it. Raises: nothing.
 *
 * The two sides of a rewritten loop have variables of their own under one name:
 * another name goes on meaning one of the two. */
#include "addresses.h"

bool pl_is_of_call(const pl_loop *loop, const pl_decl *decl) {
  const pl_node *at = decl->is_static ? NULL : decl->node;
  for (uint32_t i = 0; i < loop->func->nparams; i++)
    if (loop->func->params[i] == decl)
      return false;
  while (at && at->kind != PL_NODE_LAMBDA)
    at = at->parent;
  return at || decl->kind == PL_DECL_PARAM;
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
