/* plan_choose.c - which variant, how many stages?
 *
 * Needs: memory, obstacles and traits of a loop, the options, a measured
 * choice. Gives: variant, stages and what they cost, or a refusal. Raises:
 * PL6002, PL7001, PL8001 and what plan_memory.c and plan_obstacles.c found.
 *
 * The model behind `auto` rests on measurements of hand-made variants (an H200,
 * docs/gpu-results.md): 16-byte asynchronous copies win 16 to 23 %, 4-byte ones
 * lose 8 % unless the tile is read often; register staging wins 3 to 31 % where
 * its registers do not cost occupancy; one buffer is the fall-back that fits
 * everywhere. */
#include "forms.h"
#include "plan.h"

#include <string.h>

#define AUTO_STAGING_BYTES 256
#define STREAM_RATIO 1.0 /* operations a byte */
/* A multiprocessor of an H200 needs some 23 KiB on their way to be kept busy by
 * memory (4.8 TB/s over 132, 650 ns): the tiles of three blocks are more. */
#define STREAM_TILE 8192
/* Narrow copies of a thread for a tile: 1 to 8 gain up to 2.9 times, 16 and more
 * lose to registers (docs/gpu-results.md). */
#define NARROW_COPIES 8
#define STREAM_THREADS 512 /* a quarter of what a multiprocessor holds */
#define DEEPEST 8
#define READS_A_COPY 64
#define WARP 32
#define MIXED_STAGES 2 /* registers hold one tile */

/* ---- one variant --------------------------------------------------------- */

/* Whether asynchronous copies are for some of the tiles alone. */
static bool mixes(const pl_loop *loop, pl_variant variant) {
  return pl_variant_mixes(variant) && loop->async_id;
}

static int wanted_stages(const pl_loop *loop, pl_variant variant) {
  if (!pl_variant_is_async(variant))
    return pl_variant_least(variant);
  if (loop->options->stages)
    return loop->options->stages;
  return mixes(loop, variant) || loop->nvotes ? MIXED_STAGES
                                              : pl_variant_usual(variant);
}

/* Where the block may vote to leave, one tile ahead is enough. */
static bool looks_too_far(const pl_loop *loop, pl_variant variant, int stages) {
  const pl_form *form = pl_form_for(variant, stages, false);
  return loop->nvotes && form && form->schedule->rounds == PL_ROUNDS_OF_ALL;
}

static void adopt(pl_loop *loop, pl_variant variant, int stages) {
  pl_set_mixed(loop, mixes(loop, variant));
  if (loop->mixed)
    loop->why = pl_mixed_text(loop);
  loop->variant = variant;
  loop->stages = stages;
  loop->smem_after = pl_bytes_with(loop, stages);
  loop->blocks_before = pl_blocks_for(loop, loop->smem_before);
  loop->blocks_after = pl_blocks_for(loop, loop->smem_after);
}

/* A refusal because of a variant, at the #if where that is the reason. */
static void refuse_at(pl_loop *loop, bool certain, const char *id,
                      const char *what, pl_str why) {
  pl_node at = {.range = loop->condition};
  bool condition = at.range.end && strcmp(id, "PL1004") == 0;
  pl_refuse(loop, certain && !condition, id, condition ? &at : NULL, "%s: %.*s",
            what, PL_FMT(why));
}

/* Whether the least stages fit where nobody asked for as many as do not. */
static bool takes_fewer(pl_loop *loop, pl_variant variant, const char *id) {
  const char *two = NULL;
  pl_str why = {0};
  int least = pl_variant_least(variant);
  return !loop->options->stages && strcmp(id, "PL7001") == 0 &&
         wanted_stages(loop, variant) > least &&
         pl_stages_fit(loop, least, false, &two, &why);
}

static void choose_forced(pl_loop *loop, pl_variant variant) {
  pl_str why = {0};
  const char *id = pl_obstacle(loop, variant, &why);
  int stages = wanted_stages(loop, variant);
  if (!id && mixes(loop, variant) && stages > MIXED_STAGES) {
    id = loop->async_id;
    why = pl_arena_printf(loop->arena, "%.*s; beside registers there are %d "
                                       "stages", PL_FMT(loop->async_why),
                          MIXED_STAGES);
  }
  if (!id && looks_too_far(loop, variant, stages)) {
    id = "PL2003";
    why = PL_STR("the block may vote to leave the loop, and no more than one tile "
                 "is loaded ahead of that: there are 2 stages");
  }
  if (!id)
    pl_stages_fit(loop, stages, false, &id, &why);
  if (id && takes_fewer(loop, variant, id)) {
    adopt(loop, variant, pl_variant_least(variant));
    return;
  }
  if (id) {
    pl_str what = pl_arena_printf(loop->arena, "%s does not apply",
                                  pl_variant_name(variant));
    refuse_at(loop, true, id, what.p, why);
    return;
  }
  adopt(loop, variant, stages);
}

/* Whether asynchronous copies may apply to all tiles, but for the proof that none
 * meet; sets a reason. */
static bool may_be_async(pl_loop *loop, pl_str *why) {
  if (loop->async_id)
    *why = loop->async_why;
  return !loop->async_id &&
         !pl_obstacle_in_sight(loop, PL_VARIANT_CP_ASYNC, why);
}

/* Whether they do. */
static bool is_async(pl_loop *loop, pl_str *why) {
  if (may_be_async(loop, why))
    pl_prove_async(loop);
  return may_be_async(loop, why);
}

/* Blocks hide latency too. Stages may cost half of them, and those of a kernel
 * that streams as many as leave a quarter of the threads. */
static bool cost_too_many_blocks(const pl_loop *loop, int stages, bool streams) {
  int before = pl_blocks_for(loop, loop->smem_before);
  int now = pl_blocks_for(loop, pl_bytes_with(loop, stages));
  if (streams)
    return now < before && loop->threads > 0 &&
           now * loop->threads < STREAM_THREADS;
  return before > 0 && now * 2 < before;
}

/* The most stages up to `most` that fit, `least` or more. */
static bool try_stages(pl_loop *loop, int least, int most, bool streams) {
  pl_str why = {0};
  const char *id = NULL;
  if (!is_async(loop, &why))
    return false;
  if (loop->options->stages)
    most = loop->options->stages;
  if (looks_too_far(loop, PL_VARIANT_CP_ASYNC, most))
    most = MIXED_STAGES;
  for (int stages = most; stages >= least; stages--) {
    id = NULL;
    if (!pl_stages_fit(loop, stages, true, &id, &why))
      continue;
    if (stages > 2 && !loop->options->stages &&
        cost_too_many_blocks(loop, stages, streams))
      continue;
    adopt(loop, PL_VARIANT_CP_ASYNC, stages);
    return true;
  }
  return false;
}

static bool try_async(pl_loop *loop, int most, bool streams) {
  return try_stages(loop, 2, most, streams);
}

static bool try_staging(pl_loop *loop, pl_variant variant) {
  pl_str why = {0};
  const char *id = NULL;
  int stages = pl_variant_least(variant);
  if (pl_obstacle(loop, variant, &why) ||
      loop->staging_bytes > AUTO_STAGING_BYTES)
    return false;
  if (!pl_stages_fit(loop, stages, true, &id, &why))
    return false;
  adopt(loop, variant, stages);
  return true;
}

/* ---- auto ---------------------------------------------------------------- */

/* The wide tiles by asynchronous copies, the rest through registers. */
static bool try_mixed(pl_loop *loop) {
  pl_str why = {0};
  const char *id = NULL;
  if (!loop->can_mix || loop->options->stages > MIXED_STAGES ||
      pl_obstacle(loop, PL_VARIANT_CP_ASYNC, &why) ||
      loop->mixed_bytes > AUTO_STAGING_BYTES ||
      !pl_stages_fit(loop, MIXED_STAGES, true, &id, &why))
    return false;
  pl_set_mixed(loop, true);
  bool pays = pl_narrowest_copy(loop) >= 16;
  pl_set_mixed(loop, false);
  if (pays)
    adopt(loop, PL_VARIANT_CP_ASYNC, MIXED_STAGES);
  return pays;
}

static void explain(pl_loop *loop, const char *fmt, int width) {
  loop->why = pl_arena_printf(loop->arena, fmt, width);
}

static void refuse_all(pl_loop *loop) {
  pl_str why = {0};
  const char *id = pl_obstacle(loop, PL_VARIANT_LDG_SINGLE, &why);
  if (!id && loop->staging_bytes > AUTO_STAGING_BYTES) {
    id = "PL6002";
    why = pl_arena_printf(loop->arena,
                          "staging would hold %lld bytes of registers a "
                          "thread",
                          (long long)loop->staging_bytes);
  }
  if (!id)
    id = pl_obstacle(loop, PL_VARIANT_CP_ASYNC, &why);
  refuse_at(loop, false, id ? id : "PL7001", "no variant applies", why);
}

/* The figures behind these rules: docs/gpu-results.md. */
static bool choose_deep(pl_loop *loop) {
  int width = pl_narrowest_copy(loop);
  bool few = width >= 16 || loop->staging_bytes <= NARROW_COPIES * width;
  if (loop->ratio > 0 && loop->ratio <= STREAM_RATIO && few &&
      loop->smem_before <= STREAM_TILE && try_async(loop, DEEPEST, true)) {
    loop->why = PL_STR("no value is used twice: only more tiles in flight help");
    return true;
  }
  if (pl_is_persistent(loop) && try_async(loop, 4, false)) {
    loop->why = PL_STR("a persistent kernel has few other blocks to run while "
                       "it waits");
    return true;
  }
  return false;
}

/* A multiprocessor takes 16 to 32 blocks (occupancy.c), which is half of its
 * warps where each is of one: narrow copies pay too then, 1.63x against ldg's
 * 1.29x over the twelve such launches of docs/gpu-results.md. */
static bool choose_for_one_warp(pl_loop *loop) {
  if (loop->threads <= 0 || loop->threads > WARP || !try_async(loop, 4, false))
    return false;
  loop->why = PL_STR("blocks of one warp leave a multiprocessor half empty: only "
                     "more tiles in flight help");
  return true;
}

/* A copy of 4 bytes costs about as much as 16 to 32 reads of the tile: with so
 * many for each copy `cp.async` loses 13 to 23 % to `ldg`. With READS_A_COPY and
 * more it gains 14 % (36 launches of docs/gpu-results.md, 0.69 to 2.1 times),
 * for a grid of few blocks waits for its tiles. */
static bool choose_for_reuse(pl_loop *loop) {
  double reads = pl_reads_per_copy(loop);
  if (reads < READS_A_COPY || !try_stages(loop, 3, 4, false))
    return false;
  loop->why = pl_arena_printf(loop->arena,
                              "a thread reads %.0f cells for each that it "
                              "copies: beside that asynchronous copies cost "
                              "little", reads);
  return true;
}

/* Whether some copies are made for neighbours (widen.c). */
static bool joins_copies(const pl_loop *loop) {
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (loop->fill.copies[i].wide)
      return true;
  return false;
}

/* A variant that can be asked for, NULL: none applies. */
static const char *applicable(pl_loop *loop) {
  pl_str why = {0};
  const char *id = NULL;
  if (!pl_obstacle(loop, PL_VARIANT_LDG, &why) &&
      pl_stages_fit(loop, 2, true, &id, &why))
    return "ldg";
  return pl_obstacle(loop, PL_VARIANT_LDG_SINGLE, &why) ? NULL : "ldg-single";
}

static void choose_auto(pl_loop *loop) {
  pl_str why = {0};
  int width = pl_narrowest_copy(loop);
  bool async = pl_has_wide_copy(loop) ? is_async(loop, &why)
                                      : may_be_async(loop, &why);
  if (async && choose_deep(loop))
    return;
  bool wide = async && (width >= 16 || loop->options->stages);
  if (async && width < 16 && pl_is_mostly_wide(loop) && try_async(loop, 3, false)) {
    loop->why = PL_STR("nearly all bytes are copied 16 at a time, so asynchronous "
                       "copies pay");
    return;
  }
  if (wide && try_async(loop, 3, false)) {
    explain(loop,
            joins_copies(loop)
                ? "copies that lie side by side are made %d bytes at a time, so "
                  "asynchronous copies pay"
                : "every copy is %d bytes wide, so asynchronous copies pay",
            width);
    return;
  }
  if (pl_computes_on_global(loop)) {
    pl_loop_settle(loop, PL_VERDICT_KEPT, true, "PL8001", NULL,
                   "the compute phase waits for loads of its own from global "
                   "memory");
    const char *other = applicable(loop);
    if (other)
      pl_loop_note(loop, NULL, "--variant=%s rewrites it all the same", other);
    return;
  }
  if (async && (choose_for_one_warp(loop) || choose_for_reuse(loop)))
    return;
  if (try_mixed(loop))
    return;
  if (try_staging(loop, PL_VARIANT_LDG)) {
    if (may_be_async(loop, &why))
      explain(loop, "asynchronous copies of %d bytes cost more than registers",
              width);
    else
      loop->why = pl_arena_printf(loop->arena, "not cp.async: %.*s",
                                  PL_FMT(why));
    return;
  }
  if (async && width >= 8 && try_async(loop, 3, false)) {
    explain(loop, "register staging does not apply; copies are %d bytes wide",
            width);
    return;
  }
  if (try_staging(loop, PL_VARIANT_LDG_SINGLE)) {
    pl_str two = {0};
    const char *id = NULL;
    if (!pl_obstacle(loop, PL_VARIANT_LDG, &two))
      pl_stages_fit(loop, 2, true, &id, &two);
    loop->why = pl_arena_printf(loop->arena, "one buffer: %.*s", PL_FMT(two));
    return;
  }
  if (is_async(loop, &why) && !loop->denied[PL_VARIANT_LDG_SINGLE].n) {
    const char *id = NULL;
    if (!pl_stages_fit(loop, 2, true, &id, &why)) {
      pl_refuse(loop, true, id, NULL, "%.*s", PL_FMT(why));
      return;
    }
    pl_loop_settle(loop, PL_VERDICT_KEPT, true, "PL8001", NULL,
                   "only asynchronous copies of %d bytes would apply, and "
                   "they do not pay",
                   width);
    pl_loop_note(loop, NULL, "--variant=cp.async writes them all the same");
    return;
  }
  refuse_all(loop);
}

/* ---- as measured --------------------------------------------------------- */

static bool find_choice(pl_loop *loop, pl_choice *choice) {
  const pl_options *options = loop->options;
  if (!options->measured_choice || options->variant != PL_VARIANT_AUTO ||
      options->stages)
    return false;
  pl_arena *arena = loop->arena;
  const pl_func *func = loop->func;
  pl_str name = func->qualified.n ? func->qualified : func->name;
  return options->measured_choice(
      pl_arena_cstr(arena, name),
      pl_fingerprint(arena, loop->unit, func, options),
      options->measured_context, choice);
}

/* The measured variant, as if the command line had asked for it: where it does
 * not apply to this loop, the kernel that was measured left the loop too. */
static void adopt_measured(pl_loop *loop, const pl_choice *choice) {
  pl_options *options = PL_NEW(loop->arena, pl_options);
  *options = *loop->options;
  options->variant = choice->variant;
  options->stages = choice->stages;
  loop->options = options;
  if (choice->variant == PL_VARIANT_AUTO)
    choose_auto(loop);
  else
    choose_forced(loop, choice->variant);
}

static void choose_measured(pl_loop *loop, const pl_choice *choice) {
  if (choice->stale) {
    loop->measured = pl_arena_printf(
        loop->arena, "; the kernel has changed since it was measured on %s",
        choice->measured).p;
    choose_auto(loop);
    return;
  }
  loop->measured = pl_arena_printf(loop->arena, ", as measured on %s",
                                   choice->measured).p;
  if (choice->keep)
    pl_loop_settle(loop, PL_VERDICT_KEPT, true, "PL8001", NULL,
                   "no variant was faster, as measured on %s",
                   choice->measured);
  else
    adopt_measured(loop, choice);
}

/* ---- what was asked for -------------------------------------------------- */

/* One side alone of what at least one variant pipelines; the tiles stay as
 * they are. */
static void choose_side(pl_loop *loop) {
  for (pl_variant v = PL_VARIANT_AUTO + 1; v < PL_VARIANTS; v++) {
    pl_str why = {0};
    const char *id = pl_obstacle(loop, v, &why);
    if (id || !pl_stages_fit(loop, pl_variant_least(v), false, &id, &why))
      continue;
    adopt(loop, PL_VARIANT_LDG_SINGLE, 1);
    return;
  }
  refuse_all(loop);
}

void pl_choose_as(pl_loop *loop, pl_variant variant, int stages) {
  pl_options *options = PL_NEW(loop->arena, pl_options);
  *options = *loop->options;
  options->variant = variant;
  options->stages = stages;
  loop->options = options;
  loop->settled = false;
  loop->id = NULL;
  loop->nnotes = 0;
  pl_set_mixed(loop, false);
  choose_forced(loop, variant);
}

void pl_choose(pl_loop *loop) {
  pl_choice choice = {0};
  pl_set_mixed(loop, false);
  if (loop->options->only != PL_SIDE_BOTH)
    choose_side(loop);
  else if (find_choice(loop, &choice))
    choose_measured(loop, &choice);
  else if (loop->options->variant == PL_VARIANT_AUTO)
    choose_auto(loop);
  else
    choose_forced(loop, loop->options->variant);
}
