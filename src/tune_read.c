/* tune_read.c - see tune_read.h. */
#include "tune_read.h"

#include <stdlib.h>
#include <string.h>

#include "machine_code.h"
#include "text.h"

enum { OLDEST_RESULTS = 1, NEWEST_RESULTS = 2 };

static const char *member(const json_t *object, const char *name) {
  const char *text = json_string_value(json_object_get(object, name));
  return text ? text : "";
}

/* null where nothing was measured: -1. */
static double figure(const json_t *row, const char *name) {
  const json_t *value = json_object_get(row, name);
  return json_is_number(value) ? json_number_value(value) : -1;
}

/* ---- a row --------------------------------------------------------------- */

/* What one tool said of the form: > 0 a finding, < 0 it did not run. */
static int sanitizer_says(const json_t *said, const json_t *of_original,
                          const char *tool) {
  const char *text = json_string_value(said);
  if (!text)
    return 0;
  if (pl_starts_with(text, "not run"))
    return -1;
  return pl_ends_with(text, " found") &&
         !pl_ends_with(member(of_original, tool), " found");
}

static void read_sanitizer(const json_t *raw, pl_tune_row *row) {
  json_t *all = json_object_get(raw, "sanitizer"), *said;
  const json_t *original = json_object_get(raw, "sanitizer_original");
  const char *tool;
  json_object_foreach(all, tool, said) {
    int says = sanitizer_says(said, original, tool);
    row->sanitizer_found |= says > 0;
    if (says < 0 && strcmp(row->verdict, "equal") == 0)
      row->verdict = "not-run";
  }
  /* Version 1 had one text for all tools. */
  row->sanitizer_found |=
      json_is_string(all) && strstr(json_string_value(all), " found");
}

static pl_evidence read_evidence(const json_t *raw) {
  const json_t *value = json_object_get(raw, "evidence");
  const char *text = json_is_object(value) ? member(value, "overlap")
                                           : json_string_value(value);
  if (text && strcmp(text, "seen") == 0)
    return PL_EVIDENCE_SEEN;
  return text && strcmp(text, "not seen") == 0 ? PL_EVIDENCE_NOT_SEEN
                                               : PL_EVIDENCE_UNKNOWN;
}

static pl_tune_row read_row(const json_t *raw) {
  pl_tune_row row = {
      .variant = member(raw, "variant"),
      .launch = (int)json_integer_value(json_object_get(raw, "launch")),
      .verdict = member(raw, "verdict"),
      .is_auto = json_is_true(json_object_get(raw, "auto")),
      .evidence = read_evidence(raw),
      .ms = figure(raw, "time_ms"),
      .ms_min = figure(raw, "time_ms_min"),
      .ms_original = figure(raw, "time_ms_original"),
  };
  read_sanitizer(raw, &row);
  if (strcmp(member(raw, "target_compared"), "differs") == 0)
    row.verdict = "differs";
  return row;
}

bool pl_tuned_label(const char *label, const char **variant, int *stages) {
  static const char *const plain[] = {"ldg", "ldg-single", "auto"};
  *stages = 0;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strcmp(label, plain[i]) == 0) {
      *variant = plain[i];
      return true;
    }
  long long number;
  const char *prefix = "cp.async-s";
  if (!pl_starts_with(label, prefix) ||
      !pl_parse_number(label + strlen(prefix), 2, 8, &number))
    return false;
  *variant = "cp.async";
  *stages = (int)number;
  return true;
}

/* ---- kernels ------------------------------------------------------------- */

/* "ns::gemm<16>" and "gemm": the last name, up to '<'. */
static bool same_name(const char *launched, const char *name) {
  size_t n = strcspn(launched, "<");
  const char *from = launched;
  for (size_t i = 0; i + 1 < n; i++)
    if (launched[i] == ':' && launched[i + 1] == ':')
      from = launched + i + 2;
  const char *colon = strrchr(name, ':');
  const char *last = colon ? colon + 1 : name;
  n -= (size_t)(from - launched);
  return strlen(last) == n && memcmp(last, from, n) == 0;
}

/* A kernel is measured by its own launches; a function by all of its file,
 * since any kernel may call it. */
static bool concerns(const json_t *raw, const json_t *entry,
                     const json_t *function) {
  return strcmp(member(raw, "case"), member(entry, "id")) == 0 &&
         (!json_is_true(json_object_get(function, "kernel")) ||
          same_name(member(raw, "kernel"), member(function, "name")));
}

static void add_kernel(pl_tuned *t, const json_t *entry,
                       const json_t *function) {
  const json_t *rows = json_object_get(t->results, "results");
  size_t count = json_array_size(rows);
  pl_tuned_kernel k = {.source = member(entry, "source"),
                       .name = member(function, "name"),
                       .fingerprint = member(function, "fingerprint"),
                       .rows = pl_alloc(count + 1, sizeof *k.rows),
                       .raw = pl_alloc(count + 1, sizeof *k.raw)};
  for (size_t i = 0; i < count; i++) {
    const json_t *raw = json_array_get(rows, i);
    if (!concerns(raw, entry, function))
      continue;
    k.raw[k.n] = raw;
    k.rows[k.n++] = read_row(raw);
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

static void add_kernels(pl_tuned *t) {
  const json_t *cases = json_object_get(t->manifest, "cases");
  t->kernels = pl_alloc(count_functions(cases) + 1, sizeof *t->kernels);
  for (size_t i = 0; i < json_array_size(cases); i++) {
    const json_t *entry = json_array_get(cases, i);
    const json_t *functions = json_object_get(entry, "functions");
    for (size_t k = 0; k < json_array_size(functions); k++)
      add_kernel(t, entry, json_array_get(functions, k));
  }
}

/* ---- files --------------------------------------------------------------- */

static json_t *load(const char *dir, const char *name, char **problem) {
  json_error_t error;
  char *path = pl_format("%s/%s", dir, name);
  json_t *root = json_load_file(path, 0, &error);
  if (!root && error.line < 0)
    *problem = pl_format("%s: no %s there", dir, name);
  else if (!root)
    *problem = pl_format("%s:%d: %s", path, error.line, error.text);
  free(path);
  return root;
}

static char *content_problem(const pl_tuned *t, const char *dir) {
  json_int_t version =
      json_integer_value(json_object_get(t->results, "version"));
  const json_t *cases = json_object_get(t->manifest, "cases");
  if (version < OLDEST_RESULTS || version > NEWEST_RESULTS ||
      !json_is_array(json_object_get(t->results, "results")))
    return pl_format("%s/results.json: version %lld, this pipelinify reads %d "
                     "to %d", dir, (long long)version, OLDEST_RESULTS,
                     NEWEST_RESULTS);
  if (!*t->gpu || !*t->cuda)
    return pl_format("%s/results.json: nothing ran on a GPU", dir);
  for (size_t i = 0; i < json_array_size(cases); i++)
    if (!json_object_get(json_array_get(cases, i), "functions"))
      return pl_format("%s: an older pipelinify prepared this; prepare it "
                       "again", dir);
  return NULL;
}

/* What the dumps show becomes a member of each row. */
static void add_evidence(const pl_tuned *t, const char *dir) {
  size_t i;
  json_t *raw;
  json_array_foreach(json_object_get(t->results, "results"), i, raw) {
    const char *seen =
        pl_machine_code_overlap(dir, member(raw, "case"), member(raw, "kernel"),
                                member(raw, "variant"));
    if (seen)
      json_object_set_new(raw, "evidence", json_string(seen));
  }
}

pl_tuned *pl_tuned_read(const char *dir, char **problem) {
  pl_tuned *t = pl_alloc(1, sizeof *t);
  *problem = NULL;
  t->manifest = load(dir, "manifest.json", problem);
  t->results = t->manifest ? load(dir, "results.json", problem) : NULL;
  const json_t *device = json_object_get(t->results, "device");
  t->gpu = member(device, "name");
  t->cuda = member(device, "cuda");
  if (!*problem)
    *problem = content_problem(t, dir);
  if (!*problem) {
    add_evidence(t, dir);
    add_kernels(t);
    return t;
  }
  pl_tuned_free(t);
  return NULL;
}

void pl_tuned_free(pl_tuned *tuned) {
  for (size_t i = 0; i < tuned->n; i++) {
    free(tuned->kernels[i].rows);
    free(tuned->kernels[i].raw);
  }
  free(tuned->kernels);
  json_decref(tuned->manifest);
  json_decref(tuned->results);
  free(tuned);
}
