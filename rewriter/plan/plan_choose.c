/* plan_choose.c - which variant, how many stages?
 *
 * Needs: memory, obstacles and traits of a loop, the options, a measured
 * choice. Gives: variant, stages and what they cost, or a refusal. Raises:
 * PL6002, PL7001, PL8001 and what plan_memory.c and plan_obstacles.c found.
 *
 * Where nobody asks for a variant plan_auto.c chooses, by what is here. */
#include "forms.h"
#include "plan.h"

#include <string.h>

#define STREAM_THREADS 512 /* a quarter of what a multiprocessor holds */
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
  return loop->nvotes && !pl_form_for(loop, variant, stages, false);
}

void pl_adopt(pl_loop *loop, pl_variant variant, int stages) {
  pl_set_mixed(loop, mixes(loop, variant));
  if (loop->mixed)
    loop->why = pl_mixed_text(loop);
  loop->variant = variant;
  loop->stages = stages;
  loop->smem_after = pl_bytes_with(loop, stages);
  loop->blocks_before = pl_blocks_for(loop, loop->smem_before);
  loop->blocks_after =
      pl_has_roles(loop) && loop->smem_after >= 0
          ? pl_arch_blocks(pl_loop_arch(loop), 2 * loop->roles->threads, 0, loop->smem_after)
          : pl_blocks_for(loop, loop->smem_after);
}

void pl_refuse_at(pl_loop *loop, bool certain, const char *id,
                      const char *what, pl_str why) {
  pl_node at = {.range = loop->condition};
  bool condition = at.range.end && strcmp(id, "PL1004") == 0;
  bool split = loop->ldg_at && why.p == loop->ldg_why.p;
  pl_refuse(loop, certain && !condition, id, condition ? &at : split ? loop->ldg_at : NULL,
            "%s: %.*s", what, PL_FMT(why));
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
  loop->variant = variant; /* whose bytes are counted */
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
    pl_adopt(loop, variant, pl_variant_least(variant));
    return;
  }
  if (id) {
    pl_str what = pl_arena_printf(loop->arena, "%s does not apply",
                                  pl_variant_name(variant));
    pl_refuse_at(loop, true, id, what.p, why);
    if (loop->roles && loop->roles->at && strcmp(id, "PL5006") == 0)
      pl_loop_note(loop, loop->roles->at, "it stands here");
    if (loop->launches_at_fault && strcmp(id, "PL5005") == 0)
      pl_note_launches(loop, stages);
    return;
  }
  pl_adopt(loop, variant, stages);
}

/* ---- attempts ------------------------------------------------------------ */

bool pl_may_be_async(pl_loop *loop, pl_variant variant, pl_str *why) {
  if (loop->async_id)
    *why = loop->async_why;
  return !loop->async_id && !pl_obstacle_in_sight(loop, variant, why);
}

bool pl_is_async(pl_loop *loop, pl_variant variant, pl_str *why) {
  if (pl_may_be_async(loop, variant, why))
    pl_prove_async(loop);
  return pl_may_be_async(loop, variant, why);
}

/* Blocks hide latency too. Stages may cost half of them, and those of a kernel
 * that streams as many as leave a quarter of the threads. */
static bool cost_too_many_blocks(const pl_loop *loop, int stages,
                                 pl_blocks_count blocks) {
  int before = pl_blocks_for(loop, loop->smem_before);
  int now = pl_blocks_for(loop, pl_bytes_with(loop, stages));
  if (blocks == PL_BLOCKS_FEW)
    return false;
  if (blocks == PL_BLOCKS_STREAM)
    return now < before && loop->threads > 0 &&
           now * loop->threads < STREAM_THREADS;
  return before > 0 && now * 2 < before;
}

bool pl_try_stages(pl_loop *loop, pl_variant variant, int least, int most,
                   pl_blocks_count blocks) {
  pl_str why = {0};
  const char *id = NULL;
  if (!pl_is_async(loop, variant, &why))
    return false;
  if (loop->options->stages)
    most = loop->options->stages;
  if (looks_too_far(loop, variant, most))
    most = MIXED_STAGES;
  for (int stages = most; stages >= least; stages--) {
    id = NULL;
    if (!pl_stages_fit(loop, stages, blocks != PL_BLOCKS_FEW, &id, &why))
      continue;
    if (stages > 2 && !loop->options->stages &&
        cost_too_many_blocks(loop, stages, blocks))
      continue;
    pl_adopt(loop, variant, stages);
    return true;
  }
  return false;
}

bool pl_try_staging(pl_loop *loop, pl_variant variant) {
  pl_str why = {0};
  const char *id = NULL;
  int stages = pl_variant_least(variant);
  if (pl_obstacle(loop, variant, &why) ||
      loop->staging_bytes > AUTO_STAGING_BYTES)
    return false;
  if (!pl_stages_fit(loop, stages, true, &id, &why))
    return false;
  pl_adopt(loop, variant, stages);
  return true;
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
  options->launch_bounds |= choice->launch_bounds;
  if (!options->row_padding)
    options->row_padding = choice->row_padding;
  options->min_gain = 0;
  loop->options = options;
  if (choice->variant == PL_VARIANT_AUTO)
    pl_choose_auto(loop);
  else
    choose_forced(loop, choice->variant);
}

static void choose_measured(pl_loop *loop, const pl_choice *choice) {
  if (choice->stale) {
    loop->measured = pl_arena_printf(
        loop->arena, "; the kernel has changed since it was measured on %s",
        choice->measured).p;
    pl_choose_auto(loop);
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
    pl_adopt(loop, PL_VARIANT_LDG_SINGLE, 1);
    return;
  }
  pl_refuse_all(loop);
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
    pl_choose_auto(loop);
  else
    choose_forced(loop, loop->options->variant);
}
