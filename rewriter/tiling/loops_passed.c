/* loops_passed.c - what may be done for a tile that is passed over?
 *
 * Needs: the statements of the body, in which a jump was found. Gives: whether
 * the barriers before it, or the steps beside it, are no hindrance. Raises:
 * nothing; loops_head.c does. */
#include "loops_parts.h"

/* ---- barriers before a jump ----------------------------------------------- */

/* Whether a test asks for the thread's own numbers: it makes no difference
 * whether that is done behind a barrier or before it. */
static bool asks_own_numbers(const pl_loop *loop, pl_node *test) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, loop->func, test, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ ||
        effects.items[i].space != PL_SPACE_LOCAL)
      return false;
  return true;
}

/* Whether the threads that come by the loop do so together, even where it has no
 * tile: it stands in no branch and no other loop of a kernel. */
static bool stands_by_itself(const pl_loop *loop) {
  const pl_node *at = loop->node->parent;
  while (at && at->kind == PL_NODE_COMPOUND && at != loop->func->body)
    at = at->parent;
  return loop->func->is_global && at == loop->func->body;
}

/* `for (;;) { __syncthreads(); if (k >= n) break; ...`: as if the test stood
 * first, and the barrier once more behind the loop. Where the test asks more
 * than the thread's own numbers, or the loop may have no tile, the barrier stands
 * once before the loop too; the barriers between the tests of two tiles order
 * nothing that is changed in the loop. */
bool pl_may_wait_first(pl_loop *loop, size_t index, pl_node *test) {
  bool first = index > 0;
  for (size_t i = 0; i < index; i++)
    first = first && loop->stmts[i].is_barrier;
  bool own = first && pl_is_endless(loop) && pl_is_header_test(loop, test) &&
             asks_own_numbers(loop, test->kids[0]);
  if (loop->branch || (!own && !stands_by_itself(loop)))
    return false;
  loop->waits_at_exit = true;
  loop->waits_at_entry = loop->waits_at_entry || !own;
  return true;
}

/* ---- steps beside a jump -------------------------------------------------- */

static bool is_own_step(const pl_loop *loop, const pl_stmt *stmt) {
  for (size_t i = 0; i < stmt->effects.n; i++)
    if (stmt->effects.items[i].space != PL_SPACE_LOCAL ||
        (stmt->effects.items[i].kind != PL_EFFECT_READ &&
         stmt->effects.items[i].kind != PL_EFFECT_WRITE))
      return false;
  return !stmt->is_barrier && (stmt->node->kind == PL_NODE_ASSIGN ||
                               stmt->node->kind == PL_NODE_UNARY) &&
         stmt->node->range.end <= loop->body->range.end;
}

static bool is_same_step(const pl_loop *loop, const pl_stmt *stmt,
                         const pl_node *node) {
  return is_own_step(loop, stmt) && node &&
         pl_same_text(loop->unit, stmt->node, node) &&
         pl_same_names(stmt->node, node);
}

/* `if (skip) { ++t; continue; }` where the body ends with `++t;` as well: what is
 * done for a tile that is passed over is what is done behind any other. That it
 * steps to the next tile, and does no more, is seen where steps are looked for. */
bool pl_repeats_end(pl_loop *loop, const pl_stmt *stmt) {
  const pl_node *branch = stmt->node->kind == PL_NODE_IF && stmt->node->nkids > 1
                              ? stmt->node->kids[1]
                              : NULL;
  if (!branch || branch->kind != PL_NODE_COMPOUND || branch->nkids < 2 ||
      (stmt->node->nkids > 2 && stmt->node->kids[2]) || loop->branch ||
      branch->kids[branch->nkids - 1]->kind != PL_NODE_CONTINUE)
    return false;
  size_t n = branch->nkids - 1, end = loop->nstmts;
  if (n >= end || &loop->stmts[end - n] <= stmt)
    return false;
  for (size_t i = 0; i < n; i++)
    if (!is_same_step(loop, &loop->stmts[end - n + i], branch->kids[i]))
      return false;
  for (size_t i = 0; i < n; i++)
    loop->stmts[end - n + i].repeated = true;
  return true;
}
