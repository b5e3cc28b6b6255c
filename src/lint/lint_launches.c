/* lint_launches.c - see lint_launches.h. */
#include "lint_launches.h"

#include <stdlib.h>
#include <string.h>

#include "launch_input.h"
#include "launch_taken.h"
#include "memory.h"

/* A launch, and what was worked out of it last. */
typedef struct pl_lint_source {
  const pl_launch *launch;
  const char **names;
  int64_t *usual, *unit, *least;
  pl_arena *arena;
  pl_arena *last;
} pl_lint_source;

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t c = a % b;
    a = b;
    b = c;
  }
  return a < 0 ? -a : a;
}

static void note_value(pl_lint_source *s, size_t dim, int64_t value, bool first) {
  s->unit[dim] = common_divisor(s->unit[dim], value);
  if (first || value < s->least[dim])
    s->least[dim] = value;
  if (first || value > s->usual[dim])
    s->usual[dim] = value;
}

/* What the `sizes` lines say of each dimension. */
static size_t read_sizes(pl_lint_source *s) {
  const pl_launch *launch = s->launch;
  size_t n = launch->n_sizes ? launch->sizes[0].n : 0;
  s->names = PL_NEW_ARRAY(s->arena, const char *, n + 1);
  s->usual = PL_NEW_ARRAY(s->arena, int64_t, n + 1);
  s->unit = PL_NEW_ARRAY(s->arena, int64_t, n + 1);
  s->least = PL_NEW_ARRAY(s->arena, int64_t, n + 1);
  for (size_t d = 0; d < n; d++) {
    bool first = true;
    s->names[d] = launch->sizes[0].dims[d].name;
    for (size_t i = 0; i < launch->n_sizes; i++)
      for (size_t k = 0; k < launch->sizes[i].n; k++) {
        const pl_dim_values *dim = &launch->sizes[i].dims[k];
        if (strcmp(dim->name, s->names[d]) != 0)
          continue;
        for (size_t v = 0; v < dim->n; v++) {
          note_value(s, d, dim->values[v], first);
          first = false;
        }
      }
    if (!s->unit[d])
      s->unit[d] = 1;
  }
  return n;
}

static pl_lint_arg arg_of(const pl_case_arg *arg) {
  switch (arg->arg->kind) {
  case PL_ARG_INT:
    return (pl_lint_arg){PL_LINT_ARG_INT, arg->value};
  case PL_ARG_NULL:
    return (pl_lint_arg){PL_LINT_ARG_NULL, 0};
  default:
    return (pl_lint_arg){PL_LINT_ARG_OTHER, 0};
  }
}

static bool work_out(void *context, const int64_t *sizes, pl_lint_case *out) {
  pl_lint_source *s = context;
  size_t n = s->launch->n_sizes ? s->launch->sizes[0].n : 0;
  pl_arena_free(s->last);
  pl_arena *arena = s->last = pl_new_arena();
  pl_sizes *one = PL_NEW(arena, pl_sizes);
  one->n = n;
  one->dims = PL_NEW_ARRAY(arena, pl_dim_values, n + 1);
  for (size_t i = 0; i < n; i++) {
    int64_t *value = PL_NEW(arena, int64_t);
    *value = sizes[i];
    one->dims[i] = (pl_dim_values){s->names[i], value, 1};
  }
  pl_launch launch = *s->launch;
  launch.sizes = one;
  launch.n_sizes = n ? 1 : 0;
  pl_case found;
  pl_launch_error error;
  if (pl_launch_case(arena, &launch, 0, &found, &error) != PL_CASE_OK)
    return false;
  pl_lint_arg *args = PL_NEW_ARRAY(arena, pl_lint_arg, found.n_args + 1);
  for (size_t i = 0; i < found.n_args; i++)
    args[i] = arg_of(&found.args[i]);
  *out = (pl_lint_case){.smem = found.smem, .args = args, .nargs = found.n_args};
  memcpy(out->grid, found.grid, sizeof out->grid);
  memcpy(out->block, found.block, sizeof out->block);
  return true;
}

/* A launch that was taken from host code says what is usual, neither what is the least
 * nor what all are multiples of. */
static void add(pl_lint_launches *all, const pl_launch *launch, bool is_taken) {
  pl_lint_source *s = &all->sources[all->n];
  *s = (pl_lint_source){.launch = launch, .arena = all->arena};
  size_t n = read_sizes(s);
  for (size_t i = 0; is_taken && i < n; i++) {
    s->least[i] = 0;
    s->unit[i] = 1;
  }
  all->items[all->n++] = (pl_lint_launch){.kernel = launch->kernel,
                                          .name = launch->name,
                                          .ndims = n,
                                          .names = s->names,
                                          .usual = s->usual,
                                          .unit = s->unit,
                                          .least = s->least,
                                          .is_example = is_taken,
                                          .at = work_out,
                                          .context = s};
}

static bool is_described(const pl_launch_list *list, const char *name) {
  for (size_t i = 0; list && i < list->n; i++)
    if (strcmp(list->launches[i].name, name) == 0)
      return true;
  return false;
}

bool pl_lint_launches_find(pl_lint_launches *out, const char *option, const char *path,
                           const pl_bytes *source, const char *const *defines,
                           size_t n_defines, FILE *err) {
  *out = (pl_lint_launches){.arena = pl_new_arena()};
  out->described = pl_read_launches(option, path, source, err);
  if (!out->described)
    return false;
  pl_taken taken;
  pl_taken_find(&taken, source, PL_TAKEN_SMALL, defines, n_defines, NULL, NULL);
  out->taken = pl_taken_launches(&taken, PL_TAKEN_SMALL, NULL);
  pl_taken_free(&taken);
  size_t most = out->described->n + out->taken->n + 1;
  out->items = PL_NEW_ARRAY(out->arena, pl_lint_launch, most);
  out->sources = PL_NEW_ARRAY(out->arena, pl_lint_source, most);
  for (size_t i = 0; i < out->described->n; i++)
    add(out, &out->described->launches[i], false);
  for (size_t i = 0; i < out->taken->n; i++)
    if (!is_described(out->described, out->taken->launches[i].name))
      add(out, &out->taken->launches[i], true);
  return true;
}

void pl_lint_launches_free(pl_lint_launches *launches) {
  for (size_t i = 0; i < launches->n; i++)
    pl_arena_free(launches->sources[i].last);
  pl_launch_list_free(launches->described);
  pl_launch_list_free(launches->taken);
  pl_arena_free(launches->arena);
}
