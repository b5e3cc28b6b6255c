/* ldg_single.c - register staging, one buffer, two barriers a round: no shared
 * memory is added. */
#include "forms.h"
#include "plan.h"

static const pl_schedule schedule = {
    .rounds = PL_ROUNDS_BUT_LAST,
    .lead = PL_N(1),
    .prologue = PL_STEPS(PL_AT(LOAD, 0), PL_AT(BARRIER, PL_BEHIND_LOADS)),
    .round = PL_STEPS(PL_AT(FETCH, 1), PL_AT(COMPUTE, 0), PL_AT(ADVANCE, 0),
                      PL_AT(BARRIER, PL_BEFORE_LOADS), PL_AT(STORE, 0),
                      PL_AT(BARRIER, PL_BEHIND_LOADS)),
    .epilogue = PL_STEPS(PL_AT(COMPUTE, 0)),
    .batches = PL_BATCHES_OF_THREAD,
};

/* Where nothing else applies. */
static bool take(pl_loop *loop) {
  pl_str two = {0};
  const char *id = NULL;
  if (!pl_try_staging(loop, PL_VARIANT_LDG_SINGLE))
    return false;
  if (!pl_obstacle(loop, PL_VARIANT_LDG, &two))
    pl_stages_fit(loop, 2, true, &id, &two);
  loop->why = pl_arena_printf(loop->arena, "one buffer: %.*s", PL_FMT(two));
  return true;
}

static const pl_offer offers[] = {{PL_RANK_ONE_BUFFER, take}, {PL_RANKS, NULL}};

const pl_form pl_form_ldg_single = {
    .schedule = &schedule,
    .registers = true,
    .usual = 1,
    .offers = offers,
};
