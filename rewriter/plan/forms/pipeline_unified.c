/* pipeline_unified.c - cuda::pipeline of the block, with the loop that fetches inside
 * the one that computes.
 *
 * The order is that of pipeline_block.c. Its prologue is the first round's: each round
 * fetches until all buffers are taken, which is one tile in all rounds but the first. */
#include "forms.h"

static const pl_step fetch[] = {
    {PL_STEP_ACQUIRE, PL_N(0)},
    {PL_STEP_ISSUE, PL_N(0)},
    {PL_STEP_COMMIT, PL_N(0)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_step main_loop[] = {
    {PL_STEP_WAIT_OLDEST, PL_N(0)},
    {PL_STEP_COMPUTE, PL_N(0)},
    {PL_STEP_RELEASE, PL_N(0)},
    {PL_STEP_ADVANCE, PL_N(0)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_step epilogue[] = {
    {PL_STEP_DRAIN, PL_N(0)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_schedule schedule = {
    PL_ROUNDS_THAT_FETCH, PL_BUFFERS_AND(0), fetch, main_loop, epilogue,
    PL_BATCHES_OF_BLOCK};

const pl_form pl_form_pipeline_unified = {
    .schedule = &schedule,
    .async = true,
    .words = &pl_words_of_block,
    .usual = 2,
    .obstacle = pl_all_take_part,
};
