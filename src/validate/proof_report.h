/* proof_report.h - the JSON report of `validate` and `compare`, which
 * docs/report.schema.json describes: one object for each kernel
 * launch, variant and backend ("cpu", "gpu"), {"backend", "path", "kernel",
 * "line", "variant", "proof", "exit", "detail", "proven", "tested", "unknown"};
 * "exit" is 0, 3 or 4 as in the
 * table of exit codes, or 2, "line" null for a GPU; of a shadowed program "line" is a
 * launch's, and "variant" null, or, where forms are timed, the form's, with "ms",
 * "original_ms", "speedup" and the number of launches, "timed". */
#ifndef PL_PROOF_REPORT_H
#define PL_PROOF_REPORT_H

#include "output.h"
#include "pipelinify.h"
#include "results.h"
#include "validate.h"

typedef struct pl_proof_report pl_proof_report;

pl_proof_report *pl_proof_report_new(void);
void pl_proof_report_free(pl_proof_report *report);

/* `form`: the rewritten text that the row is of; NULL: it is of none. */
void pl_proof_report_add(pl_proof_report *report, const char *path,
                         const pl_verdict_row *row, const pl_result *form);

/* All that a GPU has proven: the results and the manifest of `dir`. What cannot
 * be read has been said before. */
void pl_proof_report_add_gpu(pl_proof_report *report, const char *dir);

/* A launch site of a shadowed program, and one form of its kernel. */
typedef struct pl_proof_site {
  const char *path, *kernel;
  int line;         /* 0: not known */
  const char *form; /* NULL: the one there is */
  const char *proof;
  int code;
  const char *detail;
  long long timed;        /* launches; 0: it has no times */
  double ms, original_ms; /* a launch's, the mean */
} pl_proof_site;
void pl_proof_report_add_site(pl_proof_report *report,
                              const pl_proof_site *site);

/* Writes it to `path`. False: errno says why not. */
bool pl_proof_report_write(const pl_proof_report *report, const char *path);

#endif
