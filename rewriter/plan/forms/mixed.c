/* mixed.c - asynchronous copies of some tiles, registers for the others, two
 * buffers (docs/forms.md). plan_mixed.c says which tile goes which way. */
#include "forms.h"
#include "plan.h"

#define STAGES 2 /* registers hold one tile */

static const pl_step prologue[] = {
    {PL_STEP_ISSUE, PL_N(0)},
    {PL_STEP_COMMIT, PL_N(0)},
    {PL_STEP_WAIT, PL_N(0)},
    {PL_STEP_BARRIER, PL_N(PL_BEHIND_LOADS)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_step main_loop[] = {
    {PL_STEP_SPLIT, PL_N(1)},
    {PL_STEP_COMMIT, PL_N(0)},
    {PL_STEP_COMPUTE, PL_N(0)},
    {PL_STEP_ADVANCE, PL_N(0)},
    {PL_STEP_STORE, PL_N(0)},
    {PL_STEP_WAIT, PL_N(0)},
    {PL_STEP_BARRIER, PL_N(PL_BEFORE_LOADS)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_step epilogue[] = {
    {PL_STEP_COMPUTE, PL_N(0)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_schedule schedule = {
    PL_ROUNDS_BUT_LAST, PL_N(1), prologue, main_loop, epilogue,
    PL_BATCHES_OF_THREAD};

/* The wide tiles by asynchronous copies, the rest through registers. */
static bool take(pl_loop *loop) {
  pl_str why = {0};
  const char *id = NULL;
  if (!loop->can_mix || loop->options->stages > STAGES ||
      pl_obstacle(loop, PL_VARIANT_CP_ASYNC, &why) ||
      loop->mixed_bytes > AUTO_STAGING_BYTES ||
      !pl_stages_fit(loop, STAGES, true, &id, &why))
    return false;
  pl_set_mixed(loop, true);
  bool pays = pl_narrowest_copy(loop) >= 16;
  pl_set_mixed(loop, false);
  if (pays)
    pl_adopt(loop, PL_VARIANT_CP_ASYNC, STAGES);
  return pays;
}

static const pl_offer offers[] = {{PL_RANK_MIXED, take}, {PL_RANKS, NULL}};

const pl_form pl_form_mixed = {
    .schedule = &schedule,
    .registers = true,
    .async = true,
    .words = &pl_words_of_primitives,
    .usual = 2,
    .offers = offers,
};
