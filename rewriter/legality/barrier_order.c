/* barrier_order.c - which of the original's barriers does the emitted form keep?
 *
 * Needs: the slices, legality. Gives: `kept` of each barrier of the body, and
 * whether one that is dropped ordered the body against the text behind the loop.
 * Raises: PL2002. A barrier that nothing is known about is kept.
 *
 * The emitted form has a barrier between the compute of one tile and of the next,
 * and behind the load of the first one. Compute's own statements stand in it in
 * their order; those of one tile are ordered by the barriers between them that are
 * kept. The barriers around the load phase, and those with all of compute behind or
 * ahead of them, are dropped, unless two statements of compute on either side of one
 * conflict: they access one object, at least one writes, and they may be of different
 * threads. (The load side writes to tiles alone, and reads nothing that the loop
 * writes: legality_*.c.) */
#include "barrier_order.h"

#include "legality_parts.h"

/* Whether a statement is text of compute's: what only steps is the thread's own. */
static bool is_of_compute(const pl_stmt *stmt) {
  return !stmt->is_barrier && !stmt->is_shared_decl && !stmt->always &&
         stmt->in_compute;
}

static bool is_memory(const pl_effect *effect) {
  return (effect->kind == PL_EFFECT_READ || pl_is_write(effect)) &&
         effect->space != PL_SPACE_LOCAL && effect->space != PL_SPACE_CONSTANT;
}

static bool may_conflict(const pl_loop *loop, const pl_effect *a,
                         const pl_effect *b) {
  if (!is_memory(a) || !is_memory(b) || (!pl_is_write(a) && !pl_is_write(b)))
    return false;
  return pl_may_meet(loop, a, b);
}

static bool conflict(pl_loop *loop, const pl_stmt *one, const pl_stmt *other) {
  for (size_t i = 0; i < one->effects.n; i++)
    for (size_t k = 0; k < other->effects.n; k++)
      if (may_conflict(loop, &one->effects.items[i], &other->effects.items[k]))
        return true;
  return false;
}

bool pl_computes_conflict(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *one = &loop->stmts[i];
    for (size_t k = 0; is_of_compute(one) && k < one->effects.n; k++)
      if (one->effects.items[k].kind != PL_EFFECT_READ &&
          one->effects.items[k].kind != PL_EFFECT_WRITE &&
          one->effects.items[k].kind != PL_EFFECT_WARP &&
          one->effects.items[k].kind != PL_EFFECT_WARP_BARRIER)
        return true;
    for (size_t k = i; is_of_compute(one) && k < loop->nstmts; k++)
      if (is_of_compute(&loop->stmts[k]) && conflict(loop, one, &loop->stmts[k]))
        return true;
  }
  return false;
}

/* ---- the barriers around the load phase ------------------------------------- */

static bool computes(const pl_loop *loop, size_t first, size_t end) {
  for (size_t i = first; i < end; i++)
    if (is_of_compute(&loop->stmts[i]) && !loop->stmts[i].is_advance)
      return true;
  return false;
}

/* Whether a barrier stands behind all of compute's text, or ahead of it: there the
 * emitted form has its own. */
static bool is_at_seam(const pl_loop *loop, size_t barrier) {
  return !computes(loop, 0, barrier) || !computes(loop, barrier, loop->nstmts);
}

/* Those inside compute are kept; those that begin and end the load phase are not,
 * nor are others beside them with nothing of compute's between. */
static void drop_around_load(pl_loop *loop) {
  int n = loop->nbarriers;
  bool *busy = PL_NEW_ARRAY(loop->arena, bool, n + 1);
  bool *drop = PL_NEW_ARRAY(loop->arena, bool, n + 1);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (is_of_compute(&loop->stmts[i]) && !loop->stmts[i].is_advance)
      busy[loop->stmts[i].phase] = true;
  int phase = loop->load_phase;
  for (int k = 0; k < n; k++) {
    drop[(phase + k) % n] = true;
    if (busy[(phase + k + 1) % n])
      break;
  }
  for (int k = 1; k <= n; k++) {
    drop[(phase - k + n) % n] = true;
    if (busy[(phase - k + n) % n])
      break;
  }
  int at = 0;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].is_barrier)
      loop->stmts[i].kept = !drop[at++] && !is_at_seam(loop, i);
}

/* ---- what they order --------------------------------------------------------- */

/* Keeps a barrier ahead of a statement and behind another one: the last one, or of
 * several with nothing of compute's between the first. */
static void keep_between(pl_loop *loop, size_t one, size_t other) {
  pl_stmt *keep = NULL;
  for (size_t i = other; i-- > one;) {
    pl_stmt *stmt = &loop->stmts[i];
    if (keep && is_of_compute(stmt))
      break;
    if (stmt->is_barrier)
      keep = stmt;
  }
  if (keep)
    keep->kept = true;
}

/* A barrier that compute of the last tile waits at, in the emitted form, or the
 * one behind the loop; NULL: there is none. */
static const pl_node *waits_behind_main_loop(const pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    const pl_effect *inside =
        pl_effects_find(&stmt->effects, PL_EFFECT_BARRIER);
    if (stmt->kept || (is_of_compute(stmt) && inside))
      return stmt->kept ? stmt->node : inside->node;
  }
  return pl_needs_exit_barrier(loop) ? loop->node : NULL;
}

/* Threads that leave the loop before others may not wait in the text of the last
 * tile, or behind the loop, for those that wait in the main loop. */
static void check_leaving(pl_loop *loop) {
  const pl_node *waits = loop->counts_differ ? waits_behind_main_loop(loop) : NULL;
  if (!waits)
    return;
  pl_refuse(loop, false, "PL2002", loop->header,
            "threads may leave the loop at different tiles, and would then wait at "
            "other barriers than those that stay");
  pl_loop_note(loop, loop->header,
               "a bound that is a multiple of the step is the same for all threads");
}

/* A barrier of the original between a statement and those ahead of it, with none of the
 * emitted form between, is kept where it orders them. */
static void order_behind(pl_loop *loop, size_t index) {
  bool barrier = false;
  for (size_t i = index; i-- > 0 && !loop->stmts[i].kept;) {
    barrier = barrier || loop->stmts[i].is_barrier;
    if (barrier && is_of_compute(&loop->stmts[i]) &&
        conflict(loop, &loop->stmts[i], &loop->stmts[index])) {
      keep_between(loop, i, index);
      return;
    }
  }
}

static void order(pl_loop *loop) {
  drop_around_load(loop);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (is_of_compute(&loop->stmts[i]))
      order_behind(loop, i);
}

void pl_order_barriers(pl_loop *loop) {
  if (loop->settled)
    return;
  order(loop);
  check_leaving(loop);
}

/* ---- behind the loop --------------------------------------------------------- */

/* Whether a statement touches memory that other threads may see change. */
static bool is_seen(const pl_stmt *stmt) {
  for (size_t i = 0; i < stmt->effects.n; i++)
    if (is_memory(&stmt->effects.items[i]))
      return true;
  return false;
}

bool pl_drops_last_order(const pl_loop *loop) {
  bool barrier = false, kept = false, found = false;
  for (size_t i = loop->nstmts; i-- > 0 && !found && !kept;) {
    const pl_stmt *stmt = &loop->stmts[i];
    barrier = barrier || stmt->is_barrier;
    kept = stmt->kept;
    found = barrier && is_of_compute(stmt) && is_seen(stmt);
  }
  return found;
}
