/* pipeline_partitioned.c - cuda::pipeline of the block, in which some threads load and
 * the others compute.
 *
 * Those that load are a second layer of the block, by z, so that their x and y are those
 * of the threads that they load for, and no warp has both roles. They are ahead of the
 * others by as many tiles as there are stages, whatever those do: an acquire waits until
 * all that compute have released the stage, and a wait of those that compute until all
 * that load have committed the tile. Neither orders the computes of two tiles, which may
 * do more than to read them: the barrier of a round does, of the threads that compute
 * alone (PTX ISA, barrier: a named one, of a number of threads that are whole warps).
 *
 * Which threads those are that load is said to libcu++ as a number (CUDA programming
 * guide, Pipelines: partitioned). */
#include "pipelines.h"

static const pl_schedule schedule = {
    .rounds = PL_ROUNDS_OF_ROLES,
    .lead = PL_BUFFERS_AND(0),
    .prologue = PL_STEPS(PL_AT(ACQUIRE, 0), PL_AT(ISSUE, 0), PL_AT(COMMIT, 0),
                         PL_AT(ADVANCE, 0)),
    .round = PL_STEPS(PL_AT(WAIT_OLDEST, 0), PL_AT(COMPUTE, 0), PL_AT(BARRIER, 0),
                      PL_AT(RELEASE, 0), PL_AT(ADVANCE, 0)),
    .epilogue = PL_NO_STEPS,
    .batches = PL_BATCHES_OF_BLOCK,
};

static const pl_copy_words words = {
    PL_WORDS_OF_BLOCK,
    .object = "auto $NAME = cuda::make_pipeline(cooperative_groups::"
              "this_thread_block(), &$STATE, blockDim.x * blockDim.y);",
    .order = "asm volatile(\"barrier.sync 1, %0;\" : : \"r\"(blockDim.x * "
             "blockDim.y) : \"memory\");",
};

const pl_form pl_form_pipeline_partitioned = {
    .schedule = &schedule,
    .async = true,
    .words = &words,
    .usual = 2,
    .obstacle = pl_others_can_load,
};
