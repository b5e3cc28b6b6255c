/* summary.h - what became of the files and loops of a batch, in one line. */
#ifndef PL_SUMMARY_H
#define PL_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "output.h"

typedef struct pl_summary pl_summary;

pl_summary *pl_summary_new(void);
void pl_summary_free(pl_summary *summary);

/* Counts the files and loops of a report's text. */
void pl_summary_add(pl_summary *summary, pl_bytes report);

/* A file that gave no report. */
void pl_summary_add_failure(pl_summary *summary);

/* "pipelinify: 3 files, 1 changed; loops: 1 pipelined, 2 refused (PL3001: 2)"
 */
void pl_summary_print(const pl_summary *summary, FILE *out);

#endif
