/* lint.h - is a pipeline that somebody wrote by hand right, for every number of tiles
 * up to twice its stages and two? A bounded execution of the kernel's text
 * (docs/lint.md). */
#ifndef PL_LINT_H
#define PL_LINT_H

#include "model.h"
#include "pipelinify.h"

/* What is found in a unit, in the order of its kernels. */
typedef struct pl_lint_report {
  pl_lint_finding *findings;
  size_t nfindings, findings_cap;
  pl_lint_unread *unread;
  size_t nunread, unread_cap;
  pl_lint_kernel *kernels;
  size_t nkernels, kernels_cap;
} pl_lint_report;

void pl_lint_unit(pl_unit *unit, const pl_lint_options *options,
                  pl_lint_report *report);

#endif
