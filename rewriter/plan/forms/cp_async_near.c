/* cp_async_near.c - asynchronous copies, two buffers, no more than one tile ahead of
 * compute: where the block may vote to leave before each tile.
 *
 * The next tile is copied while this one is computed on; the first one is not begun
 * before the block has voted. */
#include "forms.h"

static const pl_step prologue[] = {
    {PL_STEP_ISSUE, PL_N(0)},
    {PL_STEP_COMMIT, PL_N(0)},
    {PL_STEP_WAIT, PL_N(0)},
    {PL_STEP_BARRIER, PL_N(PL_BEHIND_LOADS)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_step main_loop[] = {
    {PL_STEP_ISSUE, PL_N(1)},
    {PL_STEP_COMMIT, PL_N(0)},
    {PL_STEP_COMPUTE, PL_N(0)},
    {PL_STEP_ADVANCE, PL_N(0)},
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

const pl_form pl_form_cp_async_near = {
    .schedule = &schedule,
    .async = true,
    .words = &pl_words_of_primitives,
    .usual = 2,
};
