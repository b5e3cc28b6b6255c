/* launch_smem.c - dynamic shared memory of a rewritten kernel.
 *
 * Needs: one launch with every expression worked out, what rewritten kernels are
 * launched with. Gives: the bytes. Raises nothing. */
#include "launch.h"

#include "expr.h"

#include <string.h>

static const char *expression_for(const pl_launch *launch,
                                  const pl_kernel_smem *list, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!list[i].name || strcmp(list[i].name, launch->name) == 0)
      return list[i].bytes;
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

int64_t pl_case_smem(pl_arena *arena, const pl_launch *launch, const pl_case *at,
                     const pl_kernel_smem *list, size_t n) {
  const char *text = expression_for(launch, list, n), *why;
  size_t where;
  int64_t bytes = 0;
  if (!text)
    return at->smem;
  pl_names names = names_of(arena, at);
  const pl_expr *e =
      pl_expr_parse(arena, (pl_str){text, strlen(text)}, &why, &where);
  bool known = e && pl_expr_eval(arena, e, &names, &bytes, &why);
  return known ? bytes : at->smem;
}
