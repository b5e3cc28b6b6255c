/* proof_report.c - see proof_report.h. */
#include "proof_report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

struct pl_proof_report {
  json_t *root, *proofs;
};

pl_proof_report *pl_proof_report_new(void) {
  pl_proof_report *report = pl_alloc(1, sizeof *report);
  report->proofs = json_array();
  report->root = json_pack("{s:i, s:o}", "version", 1, "proofs",
                           report->proofs);
  if (!report->root)
    abort();
  return report;
}

void pl_proof_report_free(pl_proof_report *report) {
  if (!report)
    return;
  json_decref(report->root);
  free(report);
}

/* Text that came from elsewhere may not be UTF-8, which JSON is. */
static json_t *text_or_null(const char *text) {
  json_t *value = text ? json_string(text) : NULL;
  return value ? value : json_null();
}

void pl_proof_report_add(pl_proof_report *report, const char *path,
                         const pl_launch *launch, const char *variant,
                         pl_proof proof, const char *detail) {
  json_t *row = json_pack("{s:o, s:o, s:i, s:s, s:s, s:i, s:o}", "path",
                          text_or_null(path), "kernel",
                          text_or_null(launch->kernel), "line", launch->line,
                          "variant", variant, "proof", pl_proof_name(proof),
                          "exit", pl_proof_exit_code(proof), "detail",
                          text_or_null(detail));
  if (!row || json_array_append_new(report->proofs, row) != 0)
    abort();
}

pl_bytes pl_proof_report_text(const pl_proof_report *report) {
  char *body = json_dumps(report->root, JSON_INDENT(2));
  if (!body)
    abort();
  char *text = pl_format("%s\n", body);
  free(body);
  return (pl_bytes){text, strlen(text)};
}
