/* stale_heads.c - which differences of numbers without signs do not wrap, as the
 * loop goes on?
 *
 * Needs: sums, the loop's condition. Gives: whether what a difference says is what
 * it is. Raises nothing.
 *
 * In `for (unsigned f = 0; f < n; f += T)` no body begins but where f < n. While
 * the names have the values of back then, n - f is a number from 1 to n, and
 * `j < n - f` says that f + j < n. */
#include "stale.h"

/* The condition that was true when the body began; NULL: none was asked. */
static pl_node *asked_ahead(const pl_loop *loop) {
  const pl_node *node = loop->node;
  pl_node *cond = node->kind == PL_NODE_FOR     ? node->kids[1]
                  : node->kind == PL_NODE_WHILE ? node->kids[0]
                                                : NULL;
  return loop->asks_last || loop->caller || !loop->nstmts || !cond ||
                 pl_node_changes(cond) || pl_node_has(cond, PL_NODE_CALL)
             ? NULL
             : cond;
}

/* Whether an unsigned number of some bytes is what a name holds. */
static bool is_plain_unsigned(const pl_term *term, int64_t bytes) {
  const pl_type *type = term->atom->type;
  return type && type->kind == PL_TYPE_INT && type->is_unsigned &&
         type->size <= bytes;
}

/* Whether a sum is of one name and others that are taken from it, so that it
 * wraps only below zero. */
static bool is_difference(const pl_linear *sum) {
  int larger = 0;
  for (int i = 0; i < sum->n; i++) {
    if (!is_plain_unsigned(&sum->terms[i], sum->wraps) || sum->terms[i].by > 1)
      return false;
    larger += sum->terms[i].by == 1;
  }
  return sum->known && larger == 1 && sum->constant <= 0;
}

/* What a comparison of names alone says; false: it computes. */
static bool is_exact(const pl_relation *fact) {
  for (int i = 0; fact->unsigned_bytes && i < fact->right.n; i++)
    if (!is_plain_unsigned(&fact->right.terms[i], fact->unsigned_bytes) ||
        fact->right.terms[i].by != 1)
      return false;
  for (int i = 0; fact->unsigned_bytes && i < fact->left.n; i++)
    if (!is_plain_unsigned(&fact->left.terms[i], fact->unsigned_bytes))
      return false;
  return fact->left.known && fact->right.known && !fact->left.wraps &&
         !fact->right.wraps &&
         (!fact->unsigned_bytes || fact->right.constant >= 0);
}

bool pl_is_exact_difference(pl_loop *loop, const pl_linear *sum,
                            const pl_node *at) {
  pl_relations heads = {0};
  pl_node *cond = asked_ahead(loop);
  pl_linear wanted = *sum, gaps[8];
  size_t n = 0;
  if (!cond || !is_difference(sum) || !pl_all_stay(loop, sum, at))
    return false;
  const pl_said said = {loop, &heads, false, false};
  pl_say(&said, cond, loop->stmts[0].node, true);
  for (size_t i = 0; i < heads.n && n < 8; i++) {
    const pl_relation *fact = &heads.items[i];
    if (!is_exact(fact) || !pl_all_stay(loop, &fact->left, at) ||
        !pl_all_stay(loop, &fact->right, at))
      continue;
    gaps[n] = fact->right;
    pl_linear_add(loop, &gaps[n], &fact->left, -1);
    gaps[n++].constant -= !fact->inclusive;
  }
  wanted.wraps = 0;
  return pl_sum_follows(loop, &wanted, gaps, n, at);
}
