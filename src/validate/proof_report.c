/* proof_report.c - see proof_report.h. */
#include "proof_report.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "proof_claims.h"
#include "run.h"
#include "text.h"

struct pl_proof_report {
  json_t *root, *proofs;
};

pl_proof_report *pl_proof_report_new(void) {
  pl_proof_report *report = pl_alloc(1, sizeof *report);
  report->proofs = json_array();
  report->root = json_pack("{s:i, s:o}", "version", 1, "proofs",
                           report->proofs);
  pl_made(report->root);
  return report;
}

void pl_proof_report_free(pl_proof_report *report) {
  if (!report)
    return;
  json_decref(report->root);
  free(report);
}

/* `row` is taken. */
static void append(pl_proof_report *report, json_t *row) {
  if (json_array_append_new(report->proofs, pl_made(row)) != 0)
    pl_out_of_memory();
}

/* Text that came from elsewhere may not be UTF-8, which JSON is. */
static json_t *text_or_null(const char *text) {
  json_t *value = text ? json_string(text) : NULL;
  return value ? value : json_null();
}

/* "M=33 N=48" as {"M": 33, "N": 48}. */
static json_t *sizes_of(const char *text) {
  json_t *sizes = pl_made(json_object());
  while (text && *text) {
    size_t n = strcspn(text, "=");
    char *name = pl_format("%.*s", (int)n, text), *end = (char *)text + n;
    if (*end == '=')
      json_object_set_new(sizes, name, json_integer(strtoll(end + 1, &end, 10)));
    free(name);
    text = end + strspn(end, " ");
  }
  return sizes;
}

static json_t *example_of(const pl_counterexample *at) {
  if (!at)
    return json_null();
  json_t *block = at->has_block
                      ? json_pack("[I, I, I]", (json_int_t)at->block[0],
                                  (json_int_t)at->block[1],
                                  (json_int_t)at->block[2])
                      : json_null();
  return json_pack("{s:o, s:I, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "sizes",
                   sizes_of(at->sizes), "seed", (json_int_t)at->run.seed,
                   "threads", pl_replay_threads(at->run.threads), "copies",
                   pl_replay_copies(at->run.copies), "block", block, "thread",
                   at->thread >= 0 ? json_integer(at->thread) : json_null(),
                   "place", text_or_null(at->place), "cell",
                   text_or_null(at->cell), "got", text_or_null(at->got), "wanted",
                   text_or_null(at->wanted));
}

/* The kernel that stands in the place of a form; null: a form does. */
static json_t *other_of(const pl_verdict_row *row) {
  return row->variant && row->variant->launches
             ? json_pack("{s:o, s:o}", "path", text_or_null(row->variant->path),
                         "kernel", text_or_null(row->variant_kernel))
             : json_null();
}

void pl_proof_report_add(pl_proof_report *report, const char *path,
                         const pl_verdict_row *row, const pl_result *form) {
  json_t *entry = json_pack(
      "{s:s, s:o, s:o, s:i, s:s, s:s, s:i, s:o}", "backend", "cpu", "path",
      text_or_null(path), "kernel", text_or_null(row->launch->kernel), "line",
      row->launch->line, "variant",
      row->variant ? row->variant->label : "alone", "proof",
      pl_proof_name(row->proof), "exit", row->code,
      "detail", text_or_null(row->detail));
  pl_made(entry);
  json_object_set_new(entry, "other", pl_made(other_of(row)));
  json_object_set_new(entry, "counterexample",
                      pl_made(example_of(row->counterexample)));
  pl_proof_claims_add(entry, row, form);
  append(report, entry);
}

/* ---- what a GPU has proven ------------------------------------------------ */

/* The file that a case was made from; NULL: not known. */
static const char *source_of(const json_t *manifest, const char *id) {
  size_t i;
  json_t *entry;
  json_array_foreach(json_object_get(manifest, "cases"), i, entry) {
    const char *name = json_string_value(json_object_get(entry, "id"));
    if (name && strcmp(name, id) == 0)
      return json_string_value(json_object_get(entry, "source"));
  }
  return NULL;
}

static int exit_of(pl_result_outcome outcome) {
  return outcome == PL_OUTCOME_EQUAL     ? PL_EXIT_FINE
         : outcome == PL_OUTCOME_FINDING ? PL_EXIT_PROOF_FAILED
                                         : PL_EXIT_NOT_PROVEN;
}

static void add_row(pl_proof_report *report, const json_t *manifest,
                    const pl_result_row *row, const char *gpu) {
  json_t *entry = json_pack(
      "{s:s, s:o, s:o, s:n, s:o, s:o, s:i, s:o}", "backend", "gpu", "path",
      text_or_null(source_of(manifest, row->id)), "kernel",
      text_or_null(row->kernel), "line", "variant", text_or_null(row->variant),
      "proof", text_or_null(row->verdict), "exit", exit_of(row->outcome),
      "detail", text_or_null(row->detail));
  pl_proof_claims_add_gpu(pl_made(entry), row, gpu);
  append(report, entry);
}

void pl_proof_report_add_gpu(pl_proof_report *report, const char *dir) {
  char *path = pl_format("%s/manifest.json", dir);
  json_t *manifest = json_load_file(path, 0, NULL);
  FILE *nowhere = fopen("/dev/null", "w");
  pl_results *results = nowhere ? pl_results_read(dir, nowhere) : NULL;
  size_t n = 0;
  const pl_result_row *rows = results ? pl_results_rows(results, &n) : NULL;
  for (size_t i = 0; i < n; i++)
    add_row(report, manifest, &rows[i], pl_results_device(results, "name"));
  if (nowhere)
    fclose(nowhere);
  pl_results_free(results);
  json_decref(manifest);
  free(path);
}

static void add_times(json_t *entry, const pl_proof_site *site) {
  json_object_set_new(entry, "ms", pl_made(json_real(site->ms)));
  json_object_set_new(entry, "original_ms",
                      pl_made(json_real(site->original_ms)));
  json_object_set_new(entry, "speedup",
                      pl_made(json_real(site->original_ms / site->ms)));
  json_object_set_new(entry, "timed", pl_made(json_integer(site->timed)));
}

void pl_proof_report_add_site(pl_proof_report *report,
                              const pl_proof_site *site) {
  json_t *entry = pl_made(json_pack(
      "{s:s, s:o, s:o, s:o, s:o, s:s, s:i, s:o}", "backend", "gpu", "path",
      text_or_null(site->path), "kernel", text_or_null(site->kernel), "line",
      site->line ? json_integer(site->line) : json_null(), "variant",
      text_or_null(site->form), "proof", site->proof, "exit", site->code,
      "detail", text_or_null(site->detail)));
  pl_proof_claims_add_program(entry, site->code, site->detail);
  if (site->timed)
    add_times(entry, site);
  append(report, entry);
}

bool pl_proof_report_write(const pl_proof_report *report, const char *path) {
  char *body = pl_made(json_dumps(report->root, JSON_INDENT(2)));
  char *text = pl_format("%s\n", body);
  bool written = pl_write_file(path, text, strlen(text)) != PL_WRITE_FAILED;
  int why = errno;
  free(body);
  free(text);
  errno = why;
  return written;
}
