/* legality_counts.c - do all threads of the block run a loop equally often?
 *
 * Needs: divergence of values, trip_counts.c. Gives: `counts_differ`, where threads that
 * begin at places of their own may leave apart. Raises: PL2002. */
#include "access.h"
#include "legality_parts.h"

static pl_divergence worse(pl_divergence a, pl_divergence b) {
  return a > b ? a : b;
}

static bool is_relation(pl_op op) {
  return op == PL_OP_LT || op == PL_OP_LE || op == PL_OP_GT ||
         op == PL_OP_GE || op == PL_OP_NE;
}

/* In `i < bound` the side that the loop does not move must not depend on the
 * thread; the moving side may start at the thread's own offset. */
static bool bound_is_uniform(pl_loop *loop, pl_node *cond) {
  for (uint32_t i = 0; i < 2; i++)
    if (pl_divergence_of(loop, cond->kids[i]) != PL_UNIFORM &&
        !pl_varies(loop, cond->kids[i]))
      return false;
  return true;
}

static bool refuse_condition(pl_loop *loop, const pl_node *at, const char *what) {
  return pl_refuse(loop, true, "PL2002", at,
                   "%s may depend on the thread: threads would then meet different "
                   "barriers",
                   what);
}

static bool check_header(pl_loop *loop) {
  pl_node *cond = pl_node_bare(loop->header);
  bool relation = cond->kind == PL_NODE_BINARY && is_relation(cond->op);
  pl_divergence left = pl_divergence_of(loop, relation ? cond->kids[0] : cond);
  pl_divergence right = relation ? pl_divergence_of(loop, cond->kids[1]) : PL_UNIFORM;
  bool offset_only = relation && worse(left, right) == PL_THREAD_OFFSET &&
                     (left == PL_UNIFORM || right == PL_UNIFORM) &&
                     bound_is_uniform(loop, cond);
  if (worse(left, right) == PL_UNIFORM || (relation && pl_is_decided_alike(loop, cond)))
    return true;
  loop->counts_differ = offset_only;
  if (offset_only)
    return true;
  return refuse_condition(loop, loop->header, "the trip count");
}

bool pl_check_trip_count(pl_loop *loop) {
  if (loop->header && !check_header(loop))
    return false;
  for (size_t i = 0; i < loop->ntests; i++)
    if (pl_divergence_of(loop, loop->tests[i]) != PL_UNIFORM)
      return refuse_condition(loop, loop->tests[i], "the condition");
  return true;
}
