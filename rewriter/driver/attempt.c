/* attempt.c - the order of the passes.
 *
 * Needs: bytes. Gives: bytes, and what each pass found. Raises: PL9001 for edits that
 * overlap. Loops that are denied get the denial's reason. */
#include "barrier_order.h"
#include "forms.h"
#include "open_values.h"
#include "rewrite.h"

#include <string.h>

static void suppress_filtered(const pl_options *options, pl_loops *loops) {
  for (size_t i = 0; options->kernel_filter && i < loops->n; i++) {
    pl_loop *loop = loops->items[i];
    pl_str name = loop->func->qualified.n ? loop->func->qualified
                                          : loop->func->name;
    if (!options->kernel_filter(pl_arena_cstr(loop->arena, name),
                                options->filter_context))
      pl_loop_settle(loop, PL_VERDICT_SUPPRESSED, true, NULL, NULL,
                     "the kernel is not selected");
  }
}

static void deny(const pl_denial *denial, pl_loop *loop) {
  pl_node at = {.range = denial->at};
  if (denial->barrier) {
    loop->stays_before_text = true;
  } else if (denial->variant == PL_VARIANT_AUTO) {
    pl_refuse(loop, false, denial->id, denial->at.end ? &at : NULL, "%.*s",
              PL_FMT(denial->message));
  } else {
    loop->denied[denial->variant] = denial->message;
    loop->denied_id[denial->variant] = denial->id;
  }
}

static void deny_all(const pl_denials *denied, pl_loops *loops) {
  for (size_t d = 0; d < denied->n; d++)
    for (size_t i = 0; i < loops->n; i++)
      if (loops->items[i]->node->range.begin == denied->items[d].loop)
        deny(&denied->items[d], loops->items[i]);
}

/* Asks for what another attempt chose for the same loop. */
static void choose_like(const pl_attempt *other, pl_loop *loop) {
  for (size_t i = 0; i < other->loops.n; i++) {
    const pl_loop *model = other->loops.items[i];
    if (model->settled || model->node->range.begin != loop->node->range.begin)
      continue;
    pl_options *options = PL_NEW(loop->arena, pl_options);
    *options = *loop->options;
    options->variant = model->variant;
    options->stages = model->stages;
    loop->options = options;
    loop->stays_before_text |= pl_needs_exit_barrier(model);
  }
}

/* Takes the options with which another attempt has chosen, and what it chose. */
static void keep_choices(const pl_attempt *other, pl_loop *loop) {
  unsigned line, column;
  uint32_t at = pl_unit_place(loop->unit, loop->node->range, &line, &column).begin;
  for (size_t i = 0; i < other->loops.n; i++) {
    const pl_loop *model = other->loops.items[i];
    pl_range range = pl_unit_place(model->unit, model->node->range, &line, &column);
    if (model->settled || range.begin != at)
      continue;
    pl_options *options = PL_NEW(loop->arena, pl_options);
    *options = *model->options;
    options->variant = model->variant;
    options->stages = model->stages;
    loop->options = options;
    loop->measured = model->measured;
  }
}

static void dump(pl_attempt *a, const char *pass) {
  if (!a->options->dump_after || strcmp(a->options->dump_after, pass) != 0)
    return;
  pl_text out = {.arena = a->arena};
  pl_unit_dump(a->unit, &out);
  for (size_t i = 0; i < a->loops.n; i++)
    pl_loop_dump(a->loops.items[i], &out);
  a->dump = out.n ? out.p : "";
}

typedef struct pass {
  const char *name;
  void (*run)(pl_loop *loop);
} pass;

static const pass loop_passes[] = {
    {"pragmas", pl_apply_pragmas},   {"phases", pl_split_phases},     {"slices", pl_slice},
    {"copies", pl_describe_copies},  {"derived", pl_find_derived},    {"legality", pl_check_legality},
    {"stale", pl_find_stale_cells},  {"barriers", pl_order_barriers},
    {"split", pl_split},
};

/* Edits that overlap are a fault of ours, and nothing can be made of them. */
static void leave_overlapping(pl_attempt *a) {
  if (!pl_edits_overlap(a->edits, a->nedits))
    return;
  for (size_t i = 0; i < a->loops.n; i++)
    if (!a->loops.items[i]->settled)
      pl_refuse(a->loops.items[i], false, "PL9001", NULL,
                "the parts of the rewritten text overlap");
  a->nedits = 0;
}

/* The whole way, in order. */
static void run_passes(pl_attempt *a) {
  pl_loops *loops = &a->loops;
  pl_effect_context *effects = pl_effect_context_new(a->unit);
  dump(a, "frontend");
  pl_mark_open_values(a->unit);
  pl_find_loops(a->unit, effects, a->options, loops);
  suppress_filtered(a->options, loops);
  deny_all(&a->denied, loops);
  dump(a, "loops");
  for (size_t p = 0; p < sizeof loop_passes / sizeof *loop_passes; p++) {
    for (size_t i = 0; i < loops->n; i++)
      loop_passes[p].run(loops->items[i]);
    if (p == 0 && a->like)
      for (size_t i = 0; i < loops->n; i++)
        choose_like(a->like, loops->items[i]);
    for (size_t i = 0; p == 0 && a->chosen && i < loops->n; i++)
      keep_choices(a->chosen, loops->items[i]);
    dump(a, loop_passes[p].name);
  }
  pl_plan(loops);
  for (size_t i = 0; i < loops->n; i++)
    PL_PUSH(a->arena, a->every.items, a->every.n, a->every.cap, loops->items[i]);
  pl_join_instances(loops);
  dump(a, "plan");
  pl_check_schedules(loops);
  pl_emit(a->unit, loops, &a->edits, &a->nedits);
  leave_overlapping(a);
}

void pl_attempt_run(pl_attempt *a) {
  pl_parse_request request = pl_request_for(a->path, a->source, a->options);
  request.force_toolkit = a->with_toolkit;
  request.like = a->parsed_like;
  request.instead = a->instead;
  request.ninstead = a->ninstead;
  a->text = a->source;
  a->unit = pl_parse(a->arena, &request, &a->error);
  if (!a->unit)
    return;
  a->unit->expanded = a->expanded;
  if (pl_is_certified(a->options))
    a->unit->digest = pl_unit_digest(a->unit);
  a->unit->conditional = a->like ? a->like->unit : a->unit;
  run_passes(a);
  a->text = pl_apply_edits(a->arena, a->source, a->edits, a->nedits);
}
