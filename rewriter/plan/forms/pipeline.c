/* pipeline.c - cuda::pipeline of one thread, two buffers and more.
 *
 * As cp_async.c, in the words of libcu++: a thread's own pipeline takes a
 * buffer for each tile, copies, commits, waits for the oldest batch, and gives the
 * buffer back. Its wait is for the thread's own copies, so that the block's barrier
 * stands behind it. A batch is committed whether there was a tile to copy or not, so that
 * as many as a constant says are ahead of the oldest: wait_prior<N> asks for it with no
 * count of its own. */
#include "forms.h"

static const pl_schedule schedule = {
    .rounds = PL_ROUNDS_OF_ALL,
    .lead = PL_BUFFERS_AND(-1),
    .prologue = PL_STEPS(PL_AT(ACQUIRE, 0), PL_AT(ISSUE, 0), PL_AT(COMMIT, 0)),
    .round = PL_STEPS(PL_AHEAD(WAIT, -2), PL_AT(BARRIER, PL_BEHIND_LOADS),
                      PL_AT(ACQUIRE, 0), PL_AHEAD(ISSUE, -1), PL_AT(COMMIT, 0),
                      PL_AT(COMPUTE, 0), PL_AT(RELEASE, 0), PL_AT(ADVANCE, 0)),
    .epilogue = PL_NO_STEPS,
    .batches = PL_BATCHES_OF_THREAD,
};

static const pl_copy_words words = {
    .header = "<cuda/pipeline>",
    .known_by = "cuda/pipeline",
    .name = "pipe",
    .object = "auto $NAME = cuda::make_pipeline();",
    .parameter = "cuda::pipeline<cuda::thread_scope_thread> &$NAME",
    .acquire = "$NAME.producer_acquire();",
    .commit = "$NAME.producer_commit();",
    .wait = "cuda::pipeline_consumer_wait_prior<$N>($NAME);",
    .wait_oldest = "$NAME.consumer_wait();",
    .release = "$NAME.consumer_release();",
    .copy = "cuda::memcpy_async($TO, $FROM, cuda::aligned_size_t<$BYTES>($BYTES), "
            "$NAME)",
};

const pl_form pl_form_pipeline = {
    .schedule = &schedule,
    .async = true,
    .words = &words,
    .usual = 2,
    .obstacle = pl_votes_first,
};
