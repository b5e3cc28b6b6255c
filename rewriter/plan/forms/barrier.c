/* barrier.c - asynchronous copies that a barrier for each buffer waits for.
 *
 * As cp_async.c, but what waits is a cuda::barrier of the block, one for each buffer:
 * it lets the threads go when all of them have come and the copies have landed that
 * were bound to it. So one wait stands for the wait and the block's barrier, and says
 * which tile it is for; nothing counts batches.
 *
 * Copies are the primitives, bound by __pipeline_arrive_on once for all of a thread's
 * copies of a tile. What cuda::memcpy_async(to, from, n, barrier) makes of them is
 * dearer: an arrive for each copy, and on sm_90 and newer a bulk copy of 16 bytes for
 * each thread (libcu++, __memcpy_async/memcpy_async_barrier.h), which would need
 * fences beside plain stores to the tile, too. */
#include "forms.h"

static const pl_step prologue[] = {
    {PL_STEP_ISSUE, PL_N(0)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_step main_loop[] = {
    {PL_STEP_MEET, PL_N(0)},
    {PL_STEP_ISSUE, PL_BUFFERS_AND(-1)},
    {PL_STEP_COMPUTE, PL_N(0)},
    {PL_STEP_ADVANCE, PL_N(0)},
    {PL_STEP_END, PL_N(0)},
};

static const pl_step epilogue[] = {
    {PL_STEP_END, PL_N(0)},
};

static const pl_schedule schedule = {
    PL_ROUNDS_OF_ALL, PL_BUFFERS_AND(-1), prologue, main_loop, epilogue,
    PL_BATCHES_OF_THREAD};

/* A barrier may not be made where one is (PTX ISA, mbarrier.init): it is ended first. */
#define ONE_THREAD "if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)\n"
#define EACH_STAGE "  for (int stage = 0; stage < $N; ++stage)\n"

static const pl_copy_words words = {
    .header = "<cuda/barrier>",
    .known_by = "cuda/barrier",
    .group_header = "<cuda_pipeline.h>",
    .group_known_by = "cuda_pipeline",
    .name = "landed",
    .state = "// One for each stage: its copies have landed, and all threads are there.\n"
             "#pragma nv_diagnostic push\n"
             "#pragma nv_diag_suppress static_var_with_dynamic_init\n"
             "__shared__ cuda::barrier<cuda::thread_scope_block> $NAME[$N];\n"
             "#pragma nv_diagnostic pop",
    .stage_bytes = 8,
    .object = ONE_THREAD EACH_STAGE
              "    init(&$NAME[stage], blockDim.x * blockDim.y * blockDim.z);\n"
              "__syncthreads();",
    .end = ONE_THREAD EACH_STAGE "    $NAME[stage].~barrier();",
    .issued = "__pipeline_arrive_on(cuda::device::barrier_native_handle($NAME[$STAGE]));",
    .meet = "$NAME[$STAGE].arrive_and_wait();",
    .copy = "__pipeline_memcpy_async($TO, $FROM, $BYTES)",
};

const pl_form pl_form_barrier = {
    .schedule = &schedule,
    .async = true,
    .words = &words,
    .usual = 3,
    .obstacle = pl_all_take_part,
};
