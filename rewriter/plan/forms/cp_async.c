/* cp_async.c - asynchronous copies, two buffers and more, one barrier a round; and
 * where asynchronous copies pay.
 *
 * All but one of the buffers are on their way while the one is computed on. A batch
 * is committed whether there was a tile to copy or not, so that the wait counts
 * right to the end. */
#include "forms.h"
#include "plan.h"

#include <string.h>

#define STREAM_RATIO 1.0 /* operations a byte */
/* A multiprocessor of an H200 needs some 23 KiB on their way to be kept busy by
 * memory (4.8 TB/s over 132, 650 ns): the tiles of three blocks are more. */
#define STREAM_TILE 8192
/* Narrow copies of a thread for a tile: 1 to 8 gain up to 2.9 times, 16 and more
 * lose to registers (docs/gpu-results.md). */
#define NARROW_COPIES 8
#define DEEPEST 8
#define READS_A_COPY 64
#define WARP 32

/* ---- schedule ------------------------------------------------------------ */

static const pl_schedule schedule = {
    .rounds = PL_ROUNDS_OF_ALL,
    .lead = PL_BUFFERS_AND(-1),
    .prologue = PL_STEPS(PL_AT(ISSUE, 0), PL_AT(COMMIT, 0)),
    .round = PL_STEPS(PL_AHEAD(WAIT, -2), PL_AT(BARRIER, PL_BEHIND_LOADS),
                      PL_AHEAD(ISSUE, -1), PL_AT(COMMIT, 0), PL_AT(COMPUTE, 0),
                      PL_AT(ADVANCE, 0)),
    .epilogue = PL_STEPS(PL_AT(WAIT, 0)),
    .batches = PL_BATCHES_OF_THREAD,
};

/* ---- words --------------------------------------------------------------- */

const pl_copy_words pl_words_of_primitives = {
    .header = "<cuda_pipeline.h>",
    .known_by = "cuda_pipeline",
    .commit = "__pipeline_commit();",
    .wait = "__pipeline_wait_prior($N);",
    .copy = "__pipeline_memcpy_async($TO, $FROM, $BYTES)",
    .copy_or_zeros = "__pipeline_memcpy_async($TO, $FROM, $BYTES, $ZEROS)",
};

/* ---- where it pays (the figures: docs/gpu-results.md) ------------------- */

static bool try_stages(pl_loop *loop, int least, int most, pl_blocks_count blocks) {
  return pl_try_stages(loop, PL_VARIANT_CP_ASYNC, least, most, blocks);
}

/* The proof that no copies meet is the dearest of all passes: it is asked for where
 * some copy is wide, and else where a form is taken. */
static bool may_apply(pl_loop *loop) {
  pl_str why = {0};
  return pl_has_wide_copy(loop) ? pl_is_async(loop, PL_VARIANT_CP_ASYNC, &why)
                                : pl_may_be_async(loop, PL_VARIANT_CP_ASYNC, &why);
}

static bool say(pl_loop *loop, const char *why) {
  loop->why = (pl_str){why, strlen(why)};
  return true;
}

/* Nothing but the block's own tiles in flight hides their latency then: of 218 launches
 * of few blocks (docs/model-against-measured.md) the deepest asynchronous form makes
 * 1.544x, what is taken elsewhere 1.452x; of ten with more blocks and at most four warps a
 * multiprocessor 1.441x and 1.337x. Where compute waits for loads of its own, depth hides
 * little of what a tile takes: of six such launches two stages make 1.18x, eight 0.89x. */
static bool take_for_few_blocks(pl_loop *loop) {
  int64_t grid = loop->facts.grid;
  bool own = pl_computes_on_global(loop);
  if (!pl_leaves_gpu_empty(loop) || !may_apply(loop) ||
      !try_stages(loop, own ? 2 : 3, own ? 2 : DEEPEST, PL_BLOCKS_FEW))
    return false;
  loop->why = pl_arena_printf(loop->arena,
                              "a grid of %lld block%s does not fill a GPU: only more "
                              "tiles in flight help",
                              (long long)grid, grid == 1 ? "" : "s");
  return true;
}

/* Where no value is used twice, or few other blocks run. */
static bool take_deep(pl_loop *loop) {
  int width = pl_narrowest_copy(loop);
  bool few = width >= 16 || loop->staging_bytes <= NARROW_COPIES * width;
  if (!may_apply(loop))
    return false;
  if (loop->ratio > 0 && loop->ratio <= STREAM_RATIO && few &&
      loop->smem_before <= STREAM_TILE && try_stages(loop, 2, DEEPEST, PL_BLOCKS_STREAM))
    return say(loop, "no value is used twice: only more tiles in flight help");
  return pl_is_persistent(loop) && try_stages(loop, 2, 4, PL_BLOCKS_HIDE) &&
         say(loop, "a persistent kernel has few other blocks to run while it waits");
}

/* Whether some copies are made for neighbours (widen.c). */
static bool joins_copies(const pl_loop *loop) {
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (loop->fill.copies[i].wide)
      return true;
  return false;
}

static bool take_wide(pl_loop *loop) {
  int width = pl_narrowest_copy(loop);
  if (!may_apply(loop))
    return false;
  if (width < 16 && pl_is_mostly_wide(loop) && try_stages(loop, 2, 3, PL_BLOCKS_HIDE))
    return say(loop, "nearly all bytes are copied 16 at a time, so asynchronous "
                     "copies pay");
  if ((width < 16 && !loop->options->stages) || !try_stages(loop, 2, 3, PL_BLOCKS_HIDE))
    return false;
  loop->why = pl_arena_printf(
      loop->arena,
      joins_copies(loop)
          ? "copies that lie side by side are made %d bytes at a time, so "
            "asynchronous copies pay"
          : "every copy is %d bytes wide, so asynchronous copies pay",
      width);
  return true;
}

/* A multiprocessor takes 16 to 32 blocks (occupancy.c), which is half of its
 * warps where each is of one: narrow copies pay too then, 1.63x against ldg's
 * 1.29x over the twelve such launches of docs/gpu-results.md. */
static bool take_for_one_warp(pl_loop *loop) {
  return may_apply(loop) && loop->threads > 0 && loop->threads <= WARP &&
         try_stages(loop, 2, 4, PL_BLOCKS_HIDE) &&
         say(loop, "blocks of one warp leave a multiprocessor half empty: only "
                   "more tiles in flight help");
}

/* A copy of 4 bytes costs about as much as 16 to 32 reads of the tile: with so
 * many for each copy `cp.async` loses 13 to 23 % to `ldg`. With READS_A_COPY and
 * more it gains 14 % (36 launches of docs/gpu-results.md, 0.69 to 2.1 times),
 * for a grid of few blocks waits for its tiles. One that is known to fill the GPU does
 * not: of 23 launches 10 are below 0.99x then, with `ldg` four. */
static bool take_for_reuse(pl_loop *loop) {
  bool full = loop->facts.grid > 0 && !pl_leaves_gpu_empty(loop);
  if (full || !may_apply(loop))
    return false;
  double reads = pl_reads_per_copy(loop);
  if (reads < READS_A_COPY || !try_stages(loop, 3, 4, PL_BLOCKS_HIDE))
    return false;
  loop->why = pl_arena_printf(loop->arena,
                              "a thread reads %.0f cells for each that it "
                              "copies: beside that asynchronous copies cost "
                              "little", reads);
  return true;
}

static bool take_where_not_staged(pl_loop *loop) {
  int width = pl_narrowest_copy(loop);
  if (!may_apply(loop) || width < 8 || !try_stages(loop, 2, 3, PL_BLOCKS_HIDE))
    return false;
  loop->why = pl_arena_printf(loop->arena,
                              "register staging does not apply; copies are %d "
                              "bytes wide", width);
  return true;
}

static const pl_offer offers[] = {
    {PL_RANK_DEEP, take_for_few_blocks}, {PL_RANK_DEEP, take_deep},
    {PL_RANK_WIDE, take_wide},
    {PL_RANK_NARROW, take_for_one_warp}, {PL_RANK_NARROW, take_for_reuse},
    {PL_RANK_NOT_STAGED, take_where_not_staged}, {PL_RANKS, NULL},
};

const pl_form pl_form_cp_async = {
    .schedule = &schedule,
    .async = true,
    .words = &pl_words_of_primitives,
    .usual = 3,
    .offers = offers,
    .obstacle = pl_votes_first,
};
