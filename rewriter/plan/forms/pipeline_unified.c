/* pipeline_unified.c - cuda::pipeline of the block, with the loop that fetches inside
 * the one that computes.
 *
 * The order is that of pipeline_block.c. Its prologue is the first round's: each round
 * fetches until all buffers are taken, which is one tile in all rounds but the first. */
#include "forms.h"

static const pl_schedule schedule = {
    .rounds = PL_ROUNDS_THAT_FETCH,
    .lead = PL_BUFFERS_AND(0),
    .prologue = PL_STEPS(PL_AT(ACQUIRE, 0), PL_AT(ISSUE, 0), PL_AT(COMMIT, 0)),
    .round = PL_STEPS(PL_AT(WAIT_OLDEST, 0), PL_AT(COMPUTE, 0), PL_AT(RELEASE, 0),
                      PL_AT(ADVANCE, 0)),
    .epilogue = PL_STEPS(PL_AT(DRAIN, 0)),
    .batches = PL_BATCHES_OF_BLOCK,
};

const pl_form pl_form_pipeline_unified = {
    .schedule = &schedule,
    .async = true,
    .words = &pl_words_of_block,
    .usual = 2,
    .obstacle = pl_all_take_part,
};
