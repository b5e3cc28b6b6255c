/* pipeline_block.c - cuda::pipeline of the block, two buffers and more.
 *
 * All threads of the block are its producers and its consumers. Its waits are for all
 * of them, so that no barrier of the block is left in the loop: a wait makes the tile
 * visible that all have copied, and an acquire waits until all have computed on the
 * tile whose buffer is taken. As all acquire in every round, whether there is a tile to
 * copy or not, the computes of two tiles keep their order. What was committed beyond
 * the last tile is waited for behind the loop: the barriers in shared memory end with
 * the pipeline. */
#include "pipelines.h"

static const pl_schedule schedule = {
    .rounds = PL_ROUNDS_OF_ALL,
    .lead = PL_BUFFERS_AND(-1),
    .prologue = PL_STEPS(PL_AT(ACQUIRE, 0), PL_AT(ISSUE, 0), PL_AT(COMMIT, 0)),
    .round = PL_STEPS(PL_AT(ACQUIRE, 0), PL_AHEAD(ISSUE, -1), PL_AT(COMMIT, 0),
                      PL_AT(WAIT_OLDEST, 0), PL_AT(COMPUTE, 0), PL_AT(RELEASE, 0),
                      PL_AT(ADVANCE, 0)),
    .epilogue = PL_STEPS(PL_AT(DRAIN, 0)),
    .batches = PL_BATCHES_OF_BLOCK,
};

const pl_copy_words pl_words_of_block = {
    PL_WORDS_OF_BLOCK,
    .object = "auto $NAME = cuda::make_pipeline(cooperative_groups::"
              "this_thread_block(), &$STATE);",
    .together = "cuda::memcpy_async(cooperative_groups::this_thread_block(), $TO, $FROM, "
                "$BYTES, $NAME);",
};

const pl_form pl_form_pipeline_block = {
    .schedule = &schedule,
    .async = true,
    .words = &pl_words_of_block,
    .usual = 2,
    .obstacle = pl_all_take_part,
};
