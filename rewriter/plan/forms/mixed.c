/* mixed.c - asynchronous copies of some tiles, registers for the others, two
 * buffers (docs/forms.md). plan_mixed.c says which tile goes which way. */
#include "forms.h"
#include "plan.h"

#define STAGES 2 /* registers hold one tile */

static const pl_schedule schedule = {
    .rounds = PL_ROUNDS_BUT_LAST,
    .lead = PL_N(1),
    .prologue = PL_STEPS(PL_AT(ISSUE, 0), PL_AT(COMMIT, 0), PL_AT(WAIT, 0),
                      PL_AT(BARRIER, PL_BEHIND_LOADS)),
    .round = PL_STEPS(PL_AT(SPLIT, 1), PL_AT(COMMIT, 0), PL_AT(COMPUTE, 0),
                      PL_AT(ADVANCE, 0), PL_AT(STORE, 0), PL_AT(WAIT, 0),
                      PL_AT(BARRIER, PL_BEFORE_LOADS)),
    .epilogue = PL_STEPS(PL_AT(COMPUTE, 0)),
    .batches = PL_BATCHES_OF_THREAD,
};

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
