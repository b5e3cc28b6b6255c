/* launch_form.c - how a rewritten kernel is launched.
 *
 * Needs: one launch with every expression worked out, what rewritten kernels are
 * launched with. Gives: the shape. Raises nothing. */
#include "launch.h"

#include "expr.h"

#include <string.h>

static const pl_kernel_shape *find_kernel(const pl_launch *launch,
                                          const pl_kernel_shape *list, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!list[i].name || strcmp(list[i].name, launch->name) == 0)
      return &list[i];
  return NULL;
}

/* The names of a case, and `smem`. */
static pl_names names_of(pl_arena *arena, const pl_case *at) {
  size_t n = at->names.n;
  const char **names = PL_NEW_ARRAY(arena, const char *, n + 1);
  int64_t *values = PL_NEW_ARRAY(arena, int64_t, n + 1);
  names[0] = "smem";
  values[0] = at->smem;
  for (size_t i = 0; i < n; i++) {
    names[i + 1] = at->names.names[i];
    values[i + 1] = at->names.values[i];
  }
  return (pl_names){names, values, n + 1};
}

static int64_t bytes_of(pl_arena *arena, const pl_case *at, const char *text) {
  const char *why;
  size_t where;
  int64_t bytes = 0;
  pl_names names = names_of(arena, at);
  const pl_expr *e =
      pl_expr_parse(arena, (pl_str){text, strlen(text)}, &why, &where);
  bool known = e && pl_expr_eval(arena, e, &names, &bytes, &why);
  return known ? bytes : at->smem;
}

pl_case_shape pl_case_of_form(pl_arena *arena, const pl_launch *launch,
                              const pl_case *at, const pl_kernel_shape *list, size_t n) {
  pl_case_shape shape = {.smem = at->smem};
  memcpy(shape.grid, at->grid, sizeof shape.grid);
  memcpy(shape.block, at->block, sizeof shape.block);
  const pl_kernel_shape *kernel = find_kernel(launch, list, n);
  if (kernel && kernel->bytes)
    shape.smem = bytes_of(arena, at, kernel->bytes);
  if (kernel && kernel->layers)
    shape.block[2] *= kernel->layers;
  return shape;
}
