/* gpu_plan.c - see gpu_plan.h. */
#include "gpu_plan.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SETS = 64 };

typedef struct planner {
  pl_arena *arena;
  const pl_bundle_case *c;
  pl_text out;
  pl_launch_error *error;
} planner;

/* Of a kernel that is no form; false: it is not launched on these sizes, or *error. */
static pl_case_answer shape_of(planner *p, const pl_bundle_form *form,
                               size_t index, const pl_case *at,
                               pl_case_shape *shape) {
  const pl_launch *launch = &p->c->launches->launches[index];
  return pl_case_of_other(p->arena, form->own_launches[index], launch, at, shape,
                          p->error);
}

/* Whether all that is run can be launched on the sizes. */
static pl_case_answer suits_all(planner *p, size_t index, const pl_case *at) {
  pl_case_shape shape;
  for (size_t i = 0; i < p->c->n_forms; i++) {
    const pl_bundle_form *form = &p->c->forms[i];
    pl_case_answer answer = form->own_launches
                                ? shape_of(p, form, index, at, &shape)
                                : PL_CASE_OK;
    if (answer != PL_CASE_OK)
      return answer;
  }
  return PL_CASE_OK;
}

/* Those of what is launched in another way than the original. */
static void add_shapes(planner *p, size_t index, const pl_case *at) {
  const pl_launch *launch = &p->c->launches->launches[index];
  for (size_t i = 0; i < p->c->n_forms; i++) {
    const pl_bundle_form *form = &p->c->forms[i];
    pl_case_shape s =
        pl_case_of_form(p->arena, launch, at, form->shapes, form->n_shapes);
    if (form->own_launches ? shape_of(p, form, index, at, &s) == PL_CASE_OK
                           : form->n_shapes > 0)
      pl_text_printf(&p->out, "shape-of %s %lld %lld %lld %lld %lld %lld %lld\n",
                     form->label, (long long)s.grid[0], (long long)s.grid[1],
                     (long long)s.grid[2], (long long)s.block[0],
                     (long long)s.block[1], (long long)s.block[2],
                     (long long)s.smem);
  }
}

static void add_argument(planner *p, const pl_case_arg *a) {
  static const char KINDS[] = "birn", DIRECTIONS[] = "iox", FILLS[] = "rgbc";
  const pl_arg *arg = a->arg;
  double low = arg->kind == PL_ARG_REAL ? arg->real : arg->low;
  pl_text_printf(&p->out, "arg %c %c %c %lld %lld %lld %.17g %.17g %s\n",
                 KINDS[arg->kind], DIRECTIONS[arg->direction],
                 FILLS[arg->fill], (long long)a->count, (long long)a->value,
                 (long long)a->below, low, arg->high, arg->name);
}

static void add_extent(planner *p, const char *word, const int64_t *extent) {
  pl_text_printf(&p->out, "%s %lld %lld %lld\n", word, (long long)extent[0],
                 (long long)extent[1], (long long)extent[2]);
}

static void add_case(planner *p, size_t index, const char *word,
                     const pl_case *at) {
  pl_str sizes = pl_case_sizes_text(p->arena, at);
  pl_text_printf(&p->out, "%s %.*s\n", word, PL_FMT(sizes));
  add_extent(p, "grid", at->grid);
  add_extent(p, "block", at->block);
  pl_text_printf(&p->out, "smem %lld\n", (long long)at->smem);
  add_shapes(p, index, at);
  if (at->flops > 0 || at->bytes > 0)
    pl_text_printf(&p->out, "work %.17g %.17g\n", at->flops, at->bytes);
  for (size_t i = 0; i < at->n_args; i++)
    add_argument(p, &at->args[i]);
}

static bool add_sets(planner *p, size_t index) {
  const pl_launch *launch = &p->c->launches->launches[index];
  size_t total = pl_launch_case_count(launch);
  size_t n = total < MOST_SETS ? total : MOST_SETS;
  for (size_t i = 0; i < n; i++) {
    pl_case at;
    pl_case_answer answer =
        pl_launch_case(p->arena, launch, i * total / n, &at, p->error);
    if (answer == PL_CASE_OK)
      answer = suits_all(p, index, &at);
    if (answer == PL_CASE_ERROR)
      return false;
    if (answer == PL_CASE_OK)
      add_case(p, index, "set", &at);
  }
  return true;
}

static bool add_target(planner *p, size_t index) {
  const pl_launch *launch = &p->c->launches->launches[index];
  pl_case at;
  pl_case_answer answer = pl_launch_target(p->arena, launch, &at, p->error);
  if (answer == PL_CASE_OK)
    answer = suits_all(p, index, &at);
  if (answer == PL_CASE_OK)
    add_case(p, index, "target", &at);
  return answer != PL_CASE_ERROR;
}

/* Only the emulator can tell how far a kernel reaches. */
static bool knows_buffers(planner *p, const pl_launch *launch) {
  for (size_t i = 0; i < launch->n_args; i++) {
    const pl_arg *arg = &launch->args[i];
    if (arg->kind != PL_ARG_BUFFER || arg->count)
      continue;
    *p->error = (pl_launch_error){.line = arg->line, .column = 1};
    snprintf(p->error->text, sizeof p->error->text,
             "'%s': [*] is for proofs on the CPU, a GPU needs the buffer's size",
             arg->name);
    return false;
  }
  return true;
}

pl_str pl_gpu_plan(pl_arena *arena, const pl_bundle_case *c,
                   pl_launch_error *error) {
  planner p = {arena, c, {.arena = arena}, error};
  for (size_t i = 0; i < c->launches->n; i++) {
    const pl_launch *launch = &c->launches->launches[i];
    pl_text_printf(&p.out, "launch %zu %zu %s\n", i, launch->n_args,
                   launch->kernel);
    if (!knows_buffers(&p, launch))
      return (pl_str){0};
    if (!add_sets(&p, i) || !add_target(&p, i))
      return (pl_str){0};
  }
  return pl_text_view(&p.out);
}
