/* tune.h - the decision: which variant of a kernel to keep, given what was
 * measured. Pure code on rows. docs/tune.md states the rules. */
#ifndef PL_TUNE_H
#define PL_TUNE_H

#include <stdbool.h>
#include <stddef.h>

#include "results.h"

/* One variant of one launch of the kernel. Times that are not > 0: not
 * measured. */
typedef struct pl_tune_row {
  const char *variant; /* the bundle's label: "cp.async-s3" */
  int launch;
  pl_result_outcome outcome;
  bool is_auto;
  bool is_undone; /* its machine code was seen not to overlap */
  double ms, ms_min, ms_original; /* medians, and the variant's least */
} pl_tune_row;

typedef enum pl_tune_outcome {
  PL_TUNE_UNKNOWN, /* nothing was measured to decide on */
  PL_TUNE_KEEP,
  PL_TUNE_TAKE
} pl_tune_outcome;

typedef struct pl_tune_decision {
  pl_tune_outcome outcome;
  const char *variant; /* taken: the label; else NULL */
  double speedup;      /* of it, over all launches; 1 for the original */
  bool found;          /* a variant has a finding */
  const char *why;     /* one line, static */
} pl_tune_decision;

/* Decides for the rows of one function. `min_gain` is a part: 0.01. */
pl_tune_decision pl_tune_decide(const pl_tune_row *rows, size_t n,
                                double min_gain);

/* The speedup of one variant, the geometric mean over its timed launches; 0
 * where it is not proven on all launches that were, or not timed. */
double pl_tune_speedup(const pl_tune_row *rows, size_t n, const char *variant);

#endif
