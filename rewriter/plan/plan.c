/* plan.c - which variant, how many stages, at what cost?
 *
 * Needs: legality and split. Gives: variant, stages and the shared-memory
 * budget of each legal loop. Raises: PL2101 and PL8001 for a loop around
 * another, and what plan_choose.c raises.
 *
 * The order of the decisions stands here: what a loop is like
 * (plan_launches.c, plan_memory.c, plan_total.c, plan_resident.c, widen.c,
 * plan_obstacles.c, plan_roles.c, plan_mixed.c, plan_traits.c, plan_facts.c,
 * plan_once.c), the choice
 * (plan_choose.c), and the choice anew where loops share a tile, or it is used outside
 * them (plan_sharing.c, plan_outside.c). */
#include "plan.h"

static void prepare(pl_loop *loop) {
  loop->legal = true;
  pl_find_dynamic(loop);
  pl_measure_shared(loop);
  pl_find_grid_waits(loop);
  loop->smem_limit = pl_smem_limit(loop);
  pl_widen(loop);
  pl_choose_rows(loop);
  pl_find_together(loop);
  pl_find_double(loop);
  pl_find_async(loop);
  pl_measure_ratio(loop);
  pl_find_facts(loop);
  pl_find_once(loop);
}

/* A loop around a tile loop that is none itself is no refusal worth a
 * warning: the tile loop inside says what became of it. */
static void demote_outer(pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++) {
    pl_loop *outer = loops->items[i]->outer;
    if (!outer || outer->verdict != PL_VERDICT_REFUSED ||
        !loops->items[i]->legal)
      continue;
    outer->verdict = PL_VERDICT_NOT_A_TILE_LOOP;
    outer->id = "PL2101";
    outer->message = PL_STR("the loop repeats the tile loop inside it");
    outer->at = outer->node->range;
    outer->nnotes = 0;
  }
}

/* Of two tile loops one in the other, the inner one runs more often. */
static void prefer_inner(pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++)
    for (pl_loop *outer = loops->items[i]->outer;
         !loops->items[i]->settled && outer; outer = outer->outer)
      pl_loop_settle(outer, PL_VERDICT_KEPT, true, "PL8001", NULL,
                     "the tile loop inside it is pipelined instead");
}

void pl_plan(pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++) {
    if (loops->items[i]->settled)
      continue;
    prepare(loops->items[i]);
    pl_choose(loops->items[i]);
  }
  prefer_inner(loops);
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < loops->n; i++) {
      pl_loop *loop = loops->items[i];
      if (!pl_is_staged(loop) || pl_check_shared_use(loops, loop))
        continue;
      loop->variant = PL_VARIANT_AUTO;
      pl_choose(loop);
      changed = true;
    }
  }
  pl_check_roles(loops);
  demote_outer(loops);
  pl_find_stage_counts(loops);
  for (size_t i = 0; i < loops->n; i++)
    if (!loops->items[i]->settled)
      pl_note_grid(loops->items[i]);
}
