/* tune_read.h - a bundle that has run, as kernels with their rows. */
#ifndef PL_TUNE_READ_H
#define PL_TUNE_READ_H

#include <jansson.h>
#include <stdio.h>

#include "results.h"
#include "tried_forms.h"
#include "tune.h"

/* One function with tile loops, and what was measured of the launches that
 * meet it. */
typedef struct pl_tuned_kernel {
  const char *source; /* as it was named when the bundle was prepared */
  const char *name, *fingerprint;
  pl_tune_row *rows;
  const pl_result_row **measured; /* the same rows as they were read */
  size_t n;
} pl_tuned_kernel;

typedef struct pl_tuned {
  const char *gpu, *cuda; /* what was measured on */
  int arch;               /* of that, 90 for sm_90; 0: not said */
  pl_tuned_kernel *kernels;
  size_t n;
  json_t *manifest;
  pl_results *results;
} pl_tuned;

/* NULL, and a message on `err`, where the directory holds no bundle, has not
 * run, or was made by another version. */
pl_tuned *pl_tuned_read(const char *dir, FILE *err);
void pl_tuned_free(pl_tuned *tuned);

/* What the label of a form stands for, "cp.async-s3"; false for one that we do not
 * know. */
bool pl_tuned_label(const char *label, pl_tried_form *form);

#endif
