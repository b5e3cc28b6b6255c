/* plan_auto.c - which form, where nobody asks for one?
 *
 * Needs: memory, obstacles and traits of a loop, the forms' offers. Gives: a form that
 * is expected to pay, or a verdict. Raises: PL6002, PL7001, PL8001 and what
 * plan_memory.c and plan_obstacles.c found.
 *
 * The model rests on measurements of hand-made variants (an H200,
 * docs/gpu-results.md): 16-byte asynchronous copies win 16 to 23 %, 4-byte ones
 * lose 8 % unless the tile is read often; register staging wins 3 to 31 % where
 * its registers do not cost occupancy; one buffer is the fall-back that fits
 * everywhere. Each form says for itself where it pays (its offers, by rank); what is
 * to be done where none does stands here. */
#include "call_summary.h"
#include "forms.h"
#include "plan.h"

#include <math.h>

/* The first form of a rank that takes the loop. */
static bool take_offer(pl_loop *loop, pl_rank rank) {
  size_t n;
  const pl_form_row *rows = pl_form_rows(&n);
  for (size_t i = 0; i < n; i++)
    for (const pl_offer *offer = rows[i].form->offers; offer && offer->take; offer++)
      if (offer->rank == rank && offer->take(loop))
        return true;
  return false;
}

void pl_refuse_all(pl_loop *loop) {
  pl_str why = {0};
  const char *id = pl_obstacle(loop, PL_VARIANT_LDG_SINGLE, &why);
  if (!id)
    id = pl_obstacle(loop, PL_VARIANT_CP_ASYNC, &why);
  pl_refuse_at(loop, false, id ? id : "PL7001", "no variant applies", why);
}

/* A variant without asynchronous copies that can be asked for, NULL: none applies. */
static const char *applicable(pl_loop *loop) {
  for (pl_variant v = PL_VARIANT_AUTO + 1; v < PL_VARIANTS; v++) {
    pl_str why = {0};
    const char *id = NULL;
    int stages = pl_variant_least(v);
    if (pl_variant_is_tried(v) && !pl_variant_is_async(v) &&
        !pl_obstacle(loop, v, &why) &&
        (stages == 1 || pl_stages_fit(loop, stages, true, &id, &why)))
      return pl_variant_name(v);
  }
  return NULL;
}

/* Loads of compute's own hide what the tile's loads would have. */
static bool keep_for_own_loads(pl_loop *loop) {
  if (!pl_computes_on_global(loop))
    return false;
  pl_loop_settle(loop, PL_VERDICT_KEPT, true, "PL8001", NULL,
                 "the compute phase waits for loads of its own from global "
                 "memory");
  const char *other = applicable(loop);
  if (other)
    pl_loop_note(loop, NULL, "--variant=%s rewrites it all the same", other);
  return true;
}

/* Where asynchronous copies alone would apply, and no form has taken them. */
static bool keep_for_narrow_copies(pl_loop *loop) {
  pl_str why = {0};
  const char *id = NULL;
  if (!pl_is_async(loop, PL_VARIANT_CP_ASYNC, &why) ||
      loop->denied[PL_VARIANT_LDG_SINGLE].n)
    return false;
  if (!pl_stages_fit(loop, 2, true, &id, &why)) {
    pl_refuse(loop, true, id, NULL, "%.*s", PL_FMT(why));
    return true;
  }
  pl_loop_settle(loop, PL_VERDICT_KEPT, true, "PL8001", NULL,
                 "only asynchronous copies of %d bytes would apply, and "
                 "they do not pay",
                 pl_narrowest_copy(loop));
  pl_loop_note(loop, NULL, "--variant=cp.async writes them all the same");
  return true;
}

/* Where more registers would stage the tile than `auto` takes, and not more than one who asks
 * for it may take. */
static bool keep_for_registers(pl_loop *loop) {
  const char *other = loop->staging_bytes > AUTO_STAGING_BYTES ? applicable(loop) : NULL;
  if (!other)
    return false;
  pl_loop_settle(loop, PL_VERDICT_KEPT, true, "PL6002", NULL,
                 "%.*s, and auto takes no more than %d", PL_FMT(pl_staging_text(loop)),
                 AUTO_STAGING_BYTES);
  pl_loop_note(loop, NULL, "--variant=%s rewrites it all the same", other);
  return true;
}

/* ---- as it was compiled ------------------------------------------------- */

/* Whether the compiler puts a variant's loads back, in one of the kernels that get to
 * the loop. */
static bool is_put_back(const pl_loop *loop, pl_variant variant) {
  pl_compiled compiled;
  return pl_compiled_as(loop, variant, &compiled) && (compiled.behind || compiled.spills);
}

static bool stages_in_registers(pl_variant variant) {
  return variant != PL_VARIANT_AUTO && pl_variant_is_tried(variant) &&
         !pl_variant_is_async(variant);
}

/* Where no other block would run, registers are free: bounds that leave 64 of them take
 * nothing from a kernel that has no more. */
static bool takes_bounds(pl_loop *loop) {
  pl_compiled compiled;
  if (!pl_leaves_gpu_empty(loop) || loop->options->launch_bounds ||
      !pl_compiled_as(loop, loop->variant, &compiled) ||
      compiled.registers > PL_BOUND_REGISTERS)
    return false;
  pl_options *options = PL_NEW(loop->arena, pl_options);
  *options = *loop->options;
  options->launch_bounds = true;
  loop->options = options;
  loop->why = pl_arena_printf(loop->arena,
                              "%.*s%sfew blocks run, and launch bounds leave each "
                              "thread %d registers", PL_FMT(loop->why),
                              loop->why.n ? "; " : "", PL_BOUND_REGISTERS);
  return true;
}

/* Takes another form in registers, or leaves the loop, where the compiler undoes the
 * one that was taken. */
static void reconsider(pl_loop *loop) {
  pl_variant undone = loop->variant;
  if (!loop->options->compiled || !stages_in_registers(undone) || takes_bounds(loop) ||
      !is_put_back(loop, undone))
    return;
  for (pl_variant v = PL_VARIANT_AUTO + 1; v < PL_VARIANTS; v++)
    if (v != undone && stages_in_registers(v) && !is_put_back(loop, v) &&
        pl_try_staging(loop, v)) {
      loop->why = pl_arena_printf(loop->arena,
                                  "nvcc puts the loads of '%s' back behind compute",
                                  pl_variant_name(undone));
      return;
    }
  loop->variant = PL_VARIANT_AUTO;
  pl_loop_settle(loop, PL_VERDICT_KEPT, true, "PL8001", NULL,
                 "nvcc puts the loads of '%s' back behind compute, or spills",
                 pl_variant_name(undone));
  pl_loop_note(loop, NULL,
               "--variant=%s rewrites it all the same; with --launch-bounds the "
               "compiler may use more registers", pl_variant_name(undone));
}

/* What the lower end of a gain has to be where the form was compiled, and nobody says: of
 * 73 recorded launches that were held back none is below 0.99x then, of seven, and they
 * make 1.075 instead of 1.093 (docs/model-against-measured.md). */
#define LEAST_COMPILED 0.95

/* ---- whether it gains enough --------------------------------------------- */

/* Takes another form, or leaves the loop, where that is asked for: `best` is what was
 * passed over so far and promised the most. */
static bool gains_enough(pl_loop *loop, pl_gain *best, pl_variant *variant) {
  pl_foresee_gain(loop);
  const pl_gain *gain = &loop->gain;
  double least = loop->options->min_gain;
  if (least <= 0 && gain->compiled)
    least = LEAST_COMPILED;
  if (gain->low < least) {
    if (gain->low > best->low) {
      *best = *gain;
      *variant = loop->variant;
    }
    return false;
  }
  loop->why = pl_arena_printf(loop->arena,
                              "%.*s%sexpected to be %.2f times as fast (%.2f to %.2f in "
                              "eight of ten)", PL_FMT(loop->why), loop->why.n ? "; " : "",
                              gain->middle, gain->low, gain->high);
  return true;
}

static void keep_for_speed(pl_loop *loop, const pl_gain *best, pl_variant variant) {
  pl_set_mixed(loop, false);
  loop->variant = PL_VARIANT_AUTO;
  loop->why = (pl_str){0};
  pl_loop_settle(loop, PL_VERDICT_KEPT, true, "PL8001", NULL,
                 "'%s' is expected to be %.2f times as fast, but no more than %.2f times "
                 "in one of ten such loops", pl_variant_name(variant), best->middle,
                 best->low);
  pl_loop_note(loop, NULL, "--min-gain=%d, or --variant=%s, rewrites it all the same",
               (int)floor((best->low - 1) * 100), pl_variant_name(variant));
}

void pl_choose_auto(pl_loop *loop) {
  pl_gain best = {0};
  pl_variant variant = PL_VARIANT_AUTO;
  for (pl_rank rank = 0; rank < PL_RANKS; rank++) {
    if (rank == PL_RANK_NARROW && keep_for_own_loads(loop))
      return;
    if (!take_offer(loop, rank))
      continue;
    reconsider(loop);
    if (loop->settled || gains_enough(loop, &best, &variant))
      return;
  }
  if (variant != PL_VARIANT_AUTO)
    keep_for_speed(loop, &best, variant);
  else if (!keep_for_narrow_copies(loop) && !keep_for_registers(loop))
    pl_refuse_all(loop);
}
