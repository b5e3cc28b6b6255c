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
#include "barriers.h"

const pl_schedule pl_schedule_of_barriers = {
    .rounds = PL_ROUNDS_OF_ALL,
    .lead = PL_BUFFERS_AND(-1),
    .prologue = PL_STEPS(PL_AT(ISSUE, 0)),
    .round = PL_STEPS(PL_AT(MEET, 0), PL_AHEAD(ISSUE, -1), PL_AT(COMPUTE, 0),
                      PL_AT(ADVANCE, 0)),
    .epilogue = PL_NO_STEPS,
    .batches = PL_BATCHES_OF_THREAD,
};

static const pl_copy_words words = {PL_WORDS_OF_BARRIERS};

const pl_form pl_form_barrier = {
    .schedule = &pl_schedule_of_barriers,
    .async = true,
    .words = &words,
    .usual = 3,
    .obstacle = pl_all_take_part,
};
