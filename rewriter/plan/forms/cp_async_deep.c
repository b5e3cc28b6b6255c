/* cp_async_deep.c - asynchronous copies, three buffers and more, one barrier a
 * round.
 *
 * All but one of the buffers are on their way while the one is computed on. A batch
 * is committed whether there was a tile to copy or not, so that the wait counts
 * right to the end. */
#include "forms.h"

static const pl_step prologue[] = {
    {PL_STEP_ISSUE, PL_N(0)},
    {PL_STEP_COMMIT, PL_N(0)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_step main_loop[] = {
    {PL_STEP_WAIT, PL_BUFFERS_AND(-2)},
    {PL_STEP_BARRIER, PL_N(PL_BEHIND_LOADS)},
    {PL_STEP_ISSUE, PL_BUFFERS_AND(-1)},
    {PL_STEP_COMMIT, PL_N(0)},
    {PL_STEP_COMPUTE, PL_N(0)},
    {PL_STEP_ADVANCE, PL_N(0)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_step epilogue[] = {
    {PL_STEP_WAIT, PL_N(0)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_schedule schedule = {PL_ROUNDS_OF_ALL, PL_BUFFERS_AND(-1), prologue,
                                     main_loop, epilogue};

const pl_form pl_form_cp_async_deep = {
    .schedule = &schedule,
    .async = true,
    .words = &pl_words_of_primitives,
    .usual = 3,
};
