/* ldg_single.c - register staging, one buffer, two barriers a round: no shared
 * memory is added. */
#include "forms.h"
#include "plan.h"

static const pl_step prologue[] = {
    {PL_STEP_LOAD, PL_N(0)},
    {PL_STEP_BARRIER, PL_N(PL_BEHIND_LOADS)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_step main_loop[] = {
    {PL_STEP_FETCH, PL_N(1)},
    {PL_STEP_COMPUTE, PL_N(0)},
    {PL_STEP_ADVANCE, PL_N(0)},
    {PL_STEP_BARRIER, PL_N(PL_BEFORE_LOADS)},
    {PL_STEP_STORE, PL_N(0)},
    {PL_STEP_BARRIER, PL_N(PL_BEHIND_LOADS)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_step epilogue[] = {
    {PL_STEP_COMPUTE, PL_N(0)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_schedule schedule = {
    PL_ROUNDS_BUT_LAST, PL_N(1), prologue, main_loop, epilogue,
    PL_BATCHES_OF_THREAD};

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
