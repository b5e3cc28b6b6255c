/* emu_plan.c - which size sets are run, and the plan that tells the runner of
 * them: text, which templates/emu/runner.cpp reads. See emu.h.
 *
 * Before: emu_build.c. Next: emu_findings.c. */
#include "emu.h"

#include <stdio.h>
#include <string.h>

const pl_launch *pl_emu_launch_of(const pl_emu *p, size_t launch,
                                  size_t object_index) {
  const pl_launch *l = p->launches[launch];
  if (object_index == 0 || !p->req->variants[object_index - 1].launches)
    return l;
  return p->req->variants[object_index - 1]
      .launches[l - p->req->launches->launches];
}

static pl_case_answer shape_of(pl_emu *p, const pl_emu_case *pc, size_t o,
                               pl_case_shape *shape, pl_launch_error *error) {
  const pl_case *c = &pc->c;
  const pl_validate_variant *v = o ? &p->req->variants[o - 1] : NULL;
  if (v && v->launches)
    return pl_case_of_other(p->arena, pl_emu_launch_of(p, pc->launch_index, o),
                            pc->launch, c, shape, error);
  *shape = pl_case_of_form(p->arena, pc->launch, c, v ? v->shapes : NULL,
                           v ? v->n_shapes : 0);
  return PL_CASE_OK;
}

static void note_error(pl_emu *p, size_t launch, size_t object_index,
                       const pl_launch_error *error) {
  p->case_errors[launch] =
      object_index ? pl_arena_printf(p->arena, "%s: line %d: %s",
                                     p->objects[object_index].path, error->line,
                                     error->text).p
                   : pl_arena_printf(p->arena, "line %d: %s", error->line,
                                     error->text).p;
}

/* Of all objects: what one cannot be launched on, none is. */
static pl_case_answer find_shapes(pl_emu *p, pl_emu_case *pc) {
  pl_launch_error error;
  pc->shapes = PL_NEW_ARRAY(p->arena, pl_case_shape, p->n_objects + 1);
  for (size_t o = 0; o < p->n_objects; o++) {
    pl_case_answer answer = shape_of(p, pc, o, &pc->shapes[o], &error);
    if (answer == PL_CASE_ERROR)
      note_error(p, pc->launch_index, o, &error);
    if (answer != PL_CASE_OK)
      return answer;
  }
  return PL_CASE_OK;
}

/* Size sets that two `sizes` lines have are run once. */
static bool is_there(pl_emu *p, const pl_emu_case *pc) {
  pl_str sizes = pl_case_sizes_text(p->arena, &pc->c);
  for (size_t i = 0; i < p->n_cases && p->req->strict; i++)
    if (p->cases[i].launch_index == pc->launch_index &&
        pl_str_eq(pl_case_sizes_text(p->arena, &p->cases[i].c), sizes))
      return true;
  return false;
}

void pl_emu_add_cases(pl_emu *p, size_t index) {
  const pl_launch *l = p->launches[index];
  size_t total = pl_launch_case_count(l);
  size_t most = p->req->max_cases ? p->req->max_cases : 64;
  size_t n = total < most ? total : most;
  for (size_t i = 0; i < n; i++) {
    pl_emu_case pc = {.launch = l, .launch_index = index, .set = p->n_cases};
    pl_launch_error error;
    pl_case_answer answer =
        pl_launch_case(p->arena, l, i * total / n, &pc.c, &error);
    if (answer == PL_CASE_ERROR)
      note_error(p, index, 0, &error);
    if (answer == PL_CASE_OK && is_there(p, &pc))
      continue;
    if (answer == PL_CASE_OK) {
      answer = find_shapes(p, &pc);
      p->left_out[index] += answer == PL_CASE_LEFT_OUT;
    }
    if (answer == PL_CASE_ERROR)
      return;
    if (answer == PL_CASE_OK)
      PL_PUSH(p->arena, p->cases, p->n_cases, p->cap_cases, pc);
  }
}

size_t pl_emu_count_cases(const pl_emu *p, size_t launch) {
  size_t n = 0;
  for (size_t i = 0; i < p->n_cases; i++)
    n += p->cases[i].launch_index == launch;
  return n;
}

static void plan_arg(FILE *f, const pl_case_arg *a) {
  static const char KINDS[] = "birn", DIRECTIONS[] = "iox", FILLS[] = "rgbc";
  const pl_arg *arg = a->arg;
  double low = arg->kind == PL_ARG_REAL ? arg->real : arg->low;
  fprintf(f, "arg %c %c %c %lld %lld %lld %.17g %.17g\n", KINDS[arg->kind],
          DIRECTIONS[arg->direction], FILLS[arg->fill], (long long)a->count,
          (long long)a->value, (long long)a->below, low, arg->high);
}

static void plan_shape(FILE *f, size_t object_index, const pl_case_shape *s) {
  fprintf(f, "shape %zu", object_index);
  for (int i = 0; i < 3; i++)
    fprintf(f, " %lld", (long long)s->grid[i]);
  for (int i = 0; i < 3; i++)
    fprintf(f, " %lld", (long long)s->block[i]);
  fprintf(f, " %lld\n", (long long)s->smem);
}

static void plan_case(pl_emu *p, FILE *f, size_t index) {
  const pl_emu_case *pc = &p->cases[index];
  const pl_case *c = &pc->c;
  fprintf(f, "case %zu %zu %llu\n", index, pc->launch_index,
          p->req->replay ? p->req->replay->seed : (unsigned long long)pc->set);
  for (size_t o = 0; o < p->n_objects; o++)
    plan_shape(f, o, &pc->shapes[o]);
  for (size_t i = 0; i < c->n_args; i++)
    plan_arg(f, &c->args[i]);
  fprintf(f, "go\n");
}

bool pl_emu_write_plan(pl_emu *p, const char *path) {
  FILE *f = fopen(path, "w");
  if (!f)
    return false;
  fprintf(f, "budget %u\ntimeout %u\n",
          p->req->budget_ms ? p->req->budget_ms : 1000,
          p->req->timeout_s ? p->req->timeout_s : 20);
  if (p->req->strict)
    fprintf(f, "strict\ntrace\n");
  if (p->req->replay)
    fprintf(f, "replay %d %d\n", p->req->replay->threads,
            p->req->replay->copies);
  for (size_t i = 0; i < p->n_objects; i++)
    fprintf(f, "object %s\n",
            p->objects[i].built && !p->objects[i].crashed ? p->objects[i].so
                                                          : "-");
  for (size_t i = 0; i < p->n_cases; i++) {
    size_t launch = p->cases[i].launch_index;
    if (i == 0 || p->cases[i - 1].launch_index != launch)
      fprintf(f, "cases %zu\n", pl_emu_count_cases(p, launch));
    plan_case(p, f, i);
  }
  return fclose(f) == 0;
}
