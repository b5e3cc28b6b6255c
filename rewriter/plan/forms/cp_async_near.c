/* cp_async_near.c - asynchronous copies, two buffers, no more than one tile ahead of
 * compute: where the block may vote to leave before each tile.
 *
 * The next tile is copied while this one is computed on; the first one is not begun
 * before the block has voted. */
#include "forms.h"

static const pl_schedule schedule = {
    .rounds = PL_ROUNDS_BUT_LAST,
    .lead = PL_N(1),
    .prologue = PL_STEPS(PL_AT(ISSUE, 0), PL_AT(COMMIT, 0), PL_AT(WAIT, 0),
                      PL_AT(BARRIER, PL_BEHIND_LOADS)),
    .round = PL_STEPS(PL_AT(ISSUE, 1), PL_AT(COMMIT, 0), PL_AT(COMPUTE, 0),
                      PL_AT(ADVANCE, 0), PL_AT(WAIT, 0),
                      PL_AT(BARRIER, PL_BEFORE_LOADS)),
    .epilogue = PL_STEPS(PL_AT(COMPUTE, 0)),
    .batches = PL_BATCHES_OF_THREAD,
};

const pl_form pl_form_cp_async_near = {
    .schedule = &schedule,
    .async = true,
    .words = &pl_words_of_primitives,
    .usual = 2,
};
