/* compare_kernels.h - the two sides of `compare`: which kernel of which file. */
#ifndef PL_COMPARE_KERNELS_H
#define PL_COMPARE_KERNELS_H

#include <stdio.h>

#include "arena.h"
#include "options.h"
#include "output.h"
#include "pipelinify.h"
#include "validate.h"

typedef struct pl_compare_side {
  const char *path;
  const pl_command *command; /* as it is for that file */
  pl_bytes source;
  pl_result *result;
  pl_validate_flags flags;
  const pl_kernel_report *kernel; /* NULL: it stands in a header */
  const char *name;      /* "ns::gemm" */
  const char *bare;      /* "gemm" */
  const char *arguments; /* "<64, 2>" where -k says them, else NULL */
} pl_compare_side;

/* Finds the kernel of each: what -k names, NAME or A=B, else the only one there is.
 * False, and messages, where that is not one each, or where the two have other
 * parameters as far as the parser sees: templates are compared where they are
 * instantiated. Strings lie in `arena`. */
bool pl_compare_find(pl_arena *arena, const pl_command *command,
                     pl_compare_side sides[2], FILE *err);

#endif
