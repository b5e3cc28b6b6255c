/* barrier_left.c - the form of barrier.c where threads have returned ahead of the loop.
 *
 * __syncthreads() does without threads that have ended, and a cuda::barrier counts those
 * that it was made for. So the threads that are there are counted in front of the loop, by
 * a barrier that does without the others (CUDA programming guide, Synchronization
 * Functions), and the first of them makes the barriers for as many: most often the block's
 * first thread, which is asked for first. All of them stay for all tiles
 * (pl_others_have_ended). */
#include "barriers.h"

static const pl_copy_words words = {
    PL_WORDS_AT_BARRIERS,
    .state = PL_BARRIERS_OF(" that have not left"),
    .object = "{\n"
              "  const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + "
              "blockDim.y * threadIdx.z);\n"
              "  unsigned first = 0;\n"
              "  while (!__syncthreads_or(rank == first))\n"
              "    ++first;\n"
              "  const int present = __syncthreads_count(1);\n"
              "  if (rank == first)\n"
              "    for (int stage = 0; stage < $N; ++stage)\n"
              "      init(&$NAME[stage], present);\n"
              "  __syncthreads();\n"
              "}",
};

const pl_form pl_form_barrier_left = {
    .schedule = &pl_schedule_of_barriers,
    .async = true,
    .words = &words,
    .usual = 3,
    .obstacle = pl_those_left_take_part,
};
