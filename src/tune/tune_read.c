/* tune_read.c - see tune_read.h. */
#include "tune_read.h"

#include <stdlib.h>
#include <string.h>

#include "machine_code.h"
#include "memory.h"
#include "report_tree.h"
#include "text.h"
#include "tried_forms.h"

static pl_tune_row row_of(const char *dir, const pl_result_row *row) {
  return (pl_tune_row){
      .variant = row->variant,
      .launch = row->launch,
      .outcome = row->outcome,
      .is_auto = row->is_auto,
      .is_undone = pl_machine_code_is_undone(dir, row),
      .ms = row->form.ms,
      .ms_min = row->form.ms_min,
      .ms_original = row->original.ms,
  };
}

bool pl_tuned_label(const char *label, pl_tried_form *form) {
  return pl_tried_label(label, "-s", form);
}

/* ---- kernels ------------------------------------------------------------- */

/* "ns::gemm<16>" and "gemm": the last name, up to '<'. */
static bool same_name(const char *launched, const char *name) {
  size_t n = strcspn(launched, "<");
  const char *from = launched;
  for (size_t i = 0; i + 1 < n; i++)
    if (launched[i] == ':' && launched[i + 1] == ':')
      from = launched + i + 2;
  const char *last = pl_unqualified(name);
  n -= (size_t)(from - launched);
  return strlen(last) == n && memcmp(last, from, n) == 0;
}

/* A kernel is measured by its own launches; a function by all of its file,
 * since any kernel may call it. */
static bool concerns(const pl_result_row *row, const json_t *entry,
                     const json_t *function) {
  return strcmp(row->id, pl_tree_text(entry, "id")) == 0 &&
         (!json_is_true(json_object_get(function, "kernel")) ||
          same_name(row->kernel, pl_tree_text(function, "name")));
}

static void add_kernel(pl_tuned *t, const char *dir, const json_t *entry,
                       const json_t *function) {
  size_t count;
  const pl_result_row *rows = pl_results_rows(t->results, &count);
  pl_tuned_kernel k = {.source = pl_tree_text(entry, "source"),
                       .name = pl_tree_text(function, "name"),
                       .fingerprint = pl_tree_text(function, "fingerprint"),
                       .rows = pl_alloc(count + 1, sizeof *k.rows),
                       .measured = pl_alloc(count + 1, sizeof *k.measured)};
  for (size_t i = 0; i < count; i++) {
    if (!concerns(&rows[i], entry, function))
      continue;
    k.measured[k.n] = &rows[i];
    k.rows[k.n++] = row_of(dir, &rows[i]);
  }
  t->kernels[t->n++] = k;
}

static size_t count_functions(const json_t *cases) {
  size_t n = 0, i;
  json_t *entry;
  json_array_foreach(cases, i, entry)
    n += json_array_size(json_object_get(entry, "functions"));
  return n;
}

static void add_kernels(pl_tuned *t, const char *dir) {
  const json_t *cases = json_object_get(t->manifest, "cases");
  t->kernels = pl_alloc(count_functions(cases) + 1, sizeof *t->kernels);
  for (size_t i = 0; i < json_array_size(cases); i++) {
    const json_t *entry = json_array_get(cases, i);
    const json_t *functions = json_object_get(entry, "functions");
    for (size_t k = 0; k < json_array_size(functions); k++)
      add_kernel(t, dir, entry, json_array_get(functions, k));
  }
}

/* ---- files --------------------------------------------------------------- */

static bool refuse(const char *path, const char *reason, FILE *err) {
  fprintf(err, "pipelinify: error: %s: %s\n", path, reason);
  return false;
}

static bool read_manifest(pl_tuned *t, const char *dir, FILE *err) {
  json_error_t error;
  char *path = pl_format("%s/manifest.json", dir);
  t->manifest = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
  const json_t *cases = json_object_get(t->manifest, "cases");
  bool whole = json_is_array(cases);
  for (size_t i = 0; i < json_array_size(cases); i++)
    whole &= json_is_array(
        json_object_get(json_array_get(cases, i), "functions"));
  if (!t->manifest)
    refuse(path, error.line < 0 ? "not there; a prepared directory has it"
                                : error.text, err);
  else if (!whole)
    refuse(path, "an older pipelinify prepared this; prepare it again", err);
  free(path);
  return whole;
}

/* 90 of "sm_90"; 0: not said. */
static int arch_of(const char *word) {
  return word && strncmp(word, "sm_", 3) == 0 ? atoi(word + 3) : 0;
}

static bool read_results(pl_tuned *t, const char *dir, FILE *err) {
  t->results = pl_results_read(dir, err);
  if (!t->results)
    return false;
  t->gpu = pl_results_device(t->results, "name");
  t->cuda = pl_results_device(t->results, "cuda");
  t->arch = arch_of(pl_results_device(t->results, "arch"));
  return (t->gpu && t->cuda) || refuse(dir, "nothing ran on a GPU", err);
}

pl_tuned *pl_tuned_read(const char *dir, FILE *err) {
  pl_tuned *t = pl_alloc(1, sizeof *t);
  if (read_manifest(t, dir, err) && read_results(t, dir, err)) {
    add_kernels(t, dir);
    return t;
  }
  pl_tuned_free(t);
  return NULL;
}

void pl_tuned_free(pl_tuned *tuned) {
  for (size_t i = 0; i < tuned->n; i++) {
    free(tuned->kernels[i].rows);
    free(tuned->kernels[i].measured);
  }
  free(tuned->kernels);
  json_decref(tuned->manifest);
  pl_results_free(tuned->results);
  free(tuned);
}
