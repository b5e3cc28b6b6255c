/* lint_launches.h - how the kernels of a source are launched, for `lint` to execute
 * them: by descriptions, else as the file's own host code does. */
#ifndef PL_LINT_LAUNCHES_H
#define PL_LINT_LAUNCHES_H

#include <stdio.h>

#include "launch.h"
#include "output.h"
#include "pipelinify.h"

typedef struct pl_lint_launches {
  pl_launch_list *described, *taken; /* NULL: there is none */
  pl_lint_launch *items;
  struct pl_lint_source *sources; /* one an item */
  size_t n;
  pl_arena *arena;
} pl_lint_launches;

/* `option`: of --launch, NULL: none. False after a message on `err`, where a
 * description is wrong. */
bool pl_lint_launches_find(pl_lint_launches *out, const char *option, const char *path,
                           const pl_bytes *source, const char *const *defines,
                           size_t n_defines, FILE *err);
void pl_lint_launches_free(pl_lint_launches *launches);

#endif
