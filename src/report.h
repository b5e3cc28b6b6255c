/* report.h - the JSON report: one object a file, kernel and loop.
 *
 * The schema only grows: fields are added behind those that are there, none
 * changes its meaning. What is not known is null. */
#ifndef PL_REPORT_H
#define PL_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "output.h"
#include "pipelinify.h"

typedef struct pl_report pl_report;

pl_report *pl_report_new(void);
void pl_report_free(pl_report *report);

/* Nothing is kept of the kernels. */
void pl_report_add(pl_report *report, const char *path,
                   const pl_kernel_report *kernels, size_t count,
                   bool changed);

/* A file that gave no result, and why. */
void pl_report_add_error(pl_report *report, const char *path,
                         const char *error);

/* The report's text, a newline at its end. Free its data with free. */
pl_bytes pl_report_text(const pl_report *report);

#endif
