/* emu_plan.c - which size sets are run, and the plan that tells the runner of
 * them: text, which templates/emu/runner.cpp reads. See emu.h.
 *
 * Before: emu_build.c. Next: emu_findings.c. */
#include "emu.h"

#include <stdio.h>
#include <string.h>

void pl_emu_add_cases(pl_emu *p, size_t index) {
  const pl_launch *l = p->launches[index];
  size_t total = pl_launch_case_count(l);
  size_t most = p->req->max_cases ? p->req->max_cases : 64;
  size_t n = total < most ? total : most;
  for (size_t i = 0; i < n; i++) {
    pl_emu_case pc = {.launch = l, .launch_index = index};
    pl_launch_error error;
    pl_case_answer answer =
        pl_launch_case(p->arena, l, i * total / n, &pc.c, &error);
    if (answer == PL_CASE_ERROR) {
      p->case_errors[index] =
          pl_arena_printf(p->arena, "line %d: %s", error.line, error.text).p;
      return;
    }
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

/* A variant's dynamic shared bytes for one case. */
static int64_t smem_of(pl_emu *p, const pl_emu_case *pc, size_t object_index) {
  if (object_index == 0)
    return pc->c.smem;
  const pl_validate_variant *v = &p->req->variants[object_index - 1];
  return pl_case_smem(p->arena, pc->launch, &pc->c, v->smem, v->n_smem);
}

static void plan_arg(FILE *f, const pl_case_arg *a) {
  static const char KINDS[] = "birn", DIRECTIONS[] = "iox", FILLS[] = "rgbc";
  const pl_arg *arg = a->arg;
  double low = arg->kind == PL_ARG_REAL ? arg->real : arg->low;
  fprintf(f, "arg %c %c %c %lld %lld %lld %.17g %.17g\n", KINDS[arg->kind],
          DIRECTIONS[arg->direction], FILLS[arg->fill], (long long)a->count,
          (long long)a->value, (long long)a->below, low, arg->high);
}

static void plan_case(pl_emu *p, FILE *f, size_t index) {
  const pl_emu_case *pc = &p->cases[index];
  const pl_case *c = &pc->c;
  fprintf(f, "case %zu %zu", index, pc->launch_index);
  for (int i = 0; i < 3; i++)
    fprintf(f, " %lld", (long long)c->grid[i]);
  for (int i = 0; i < 3; i++)
    fprintf(f, " %lld", (long long)c->block[i]);
  for (size_t o = 0; o < p->n_objects; o++)
    fprintf(f, " %lld", (long long)smem_of(p, pc, o));
  fprintf(f, "\n");
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
