/* cp_async.c - asynchronous copies, two buffers: the next tile is copied while
 * this one is computed on. */
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

static const pl_schedule schedule = {PL_ROUNDS_BUT_LAST, PL_N(1), prologue, main_loop,
                                     epilogue};

const pl_copy_words pl_words_of_primitives = {
    .header = "<cuda_pipeline.h>",
    .known_by = "cuda_pipeline",
    .commit = "__pipeline_commit();",
    .wait = "__pipeline_wait_prior($N);",
    .copy = "__pipeline_memcpy_async($TO, $FROM, $BYTES)",
};

const pl_form pl_form_cp_async = {
    .schedule = &schedule,
    .async = true,
    .words = &pl_words_of_primitives,
    .usual = 2,
};
