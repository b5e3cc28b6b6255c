/* emit_barriers.c - which barriers stay, and which text they have.
 *
 * Needs: the phases of the loop. Gives: the barriers inside compute that stay, how many
 * the main loop waits at, and the user's own one beside the load side. Raises nothing. */
#include "region.h"

/* Those of the form's round, and those that stay inside compute. */
void pl_count_barriers(pl_emitter *e) {
  pl_loop *loop = e->loop;
  const pl_step *step = e->form->schedule->round;
  loop->barriers_after = 0;
  for (; step->kind != PL_STEP_END; step++)
    loop->barriers_after +=
        step->kind == PL_STEP_MEET ||
        (step->kind == PL_STEP_BARRIER && (!pl_has_roles(loop) || loop->roles->ordered));
  for (size_t i = 0; i < loop->nstmts; i++)
    loop->barriers_after += loop->stmts[i].kept;
}

/* ---- text ---------------------------------------------------------------- */

static pl_str barrier_text(const pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].is_barrier && !loop->stmts[i].is_vote)
      return pl_unit_slice(loop->unit, loop->stmts[i].node->range);
  return PL_STR("__syncthreads();");
}

/* The first barrier behind the last fill, and the last one before the first
 * fill, around the end of the body; NULL: none is of the user's own. */
static const pl_stmt *barrier_beside_load(const pl_loop *loop, bool behind) {
  size_t first = loop->nstmts;
  for (size_t i = loop->nstmts; i-- > 0;)
    if (loop->stmts[i].fills)
      first = i;
  size_t at = behind ? pl_emit_last_fill(loop) : first;
  for (size_t k = 1; k <= loop->nstmts; k++) {
    size_t i = behind ? (at + k) % loop->nstmts
                      : (at + loop->nstmts - k) % loop->nstmts;
    if (loop->stmts[i].is_barrier && !loop->stmts[i].is_vote)
      return &loop->stmts[i];
  }
  return NULL;
}

/* A barrier with the comments that the user gave the one it stands for. */
void pl_emit_barrier_of(pl_emitter *e, int level, bool behind_load) {
  const pl_stmt *stmt = barrier_beside_load(e->loop, behind_load);
  pl_emit_chunk(e, level, stmt->chunk, stmt->node->range.begin);
}

void pl_emit_barrier_comments(pl_emitter *e, int level) {
  const pl_stmt *stmt = barrier_beside_load(e->loop, true);
  pl_emit_comments(e, level, stmt->chunk.begin, stmt->node->range.begin);
  pl_emit_comments(e, level, stmt->node->range.end, stmt->chunk.end);
}

void pl_emit_barrier(pl_emitter *e, int level) {
  pl_emit_line(e, level, "%.*s", PL_FMT(barrier_text(e->loop)));
}

/* ---- behind the loop ----------------------------------------------------- */
