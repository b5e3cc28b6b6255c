/* statistics.c - what became of the files and loops, counted; and the report
 * as plain text. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report_tree.h"
#include "text.h"

typedef struct counts {
  json_t *verdicts, *reasons; /* name: how many */
} counts;

static void count_one(json_t *table, const char *name) {
  json_int_t so_far = json_integer_value(json_object_get(table, name));
  json_object_set_new(table, name, json_integer(so_far + 1));
}

static void count_loop(void *context, const pl_report_place *place) {
  counts *c = context;
  const char *id = pl_tree_text(place->loop, "id");
  count_one(c->verdicts, pl_tree_text(place->loop, "verdict"));
  if (pl_tree_is(place->loop, "verdict", "refused") && *id)
    count_one(c->reasons, id);
}

static void print_count(FILE *out, long long count, const char *what) {
  fprintf(out, "%8lld %s\n", count, what);
}

static void print_files(FILE *out, const json_t *files) {
  long long changed = 0, failed = 0, ignored = 0, kernels = 0;
  size_t i;
  json_t *file;
  json_array_foreach(files, i, file) {
    changed += json_is_true(json_object_get(file, "changed"));
    failed += json_is_string(json_object_get(file, "error"));
    ignored += json_is_true(json_object_get(file, "ignored"));
    kernels += (long long)json_array_size(json_object_get(file, "kernels"));
  }
  print_count(out, (long long)json_array_size(files), "files");
  print_count(out, changed, "files that change");
  print_count(out, failed, "files that failed");
  print_count(out, ignored, "files that are ignored");
  print_count(out, kernels, "functions with loops that were looked at");
}

static void print_verdicts(FILE *out, const json_t *verdicts) {
  for (int v = 0; v <= PL_VERDICT_NOT_A_TILE_LOOP; v++) {
    const char *name = pl_verdict_name((pl_verdict)v);
    char *what = pl_format("loops: %s", name);
    print_count(out, json_integer_value(json_object_get(verdicts, name)),
                what);
    free(what);
  }
}

static void print_reasons(FILE *out, const json_t *reasons) {
  size_t count;
  const pl_reason *rows = pl_reasons(&count);
  for (size_t i = 0; i < count; i++) {
    json_t *number = json_object_get(reasons, rows[i].id);
    char *what = pl_format("refused by %s: %s", rows[i].id, rows[i].title);
    if (number)
      print_count(out, json_integer_value(number), what);
    free(what);
  }
}

static void print_counts(FILE *out, const pl_report *report) {
  counts c = {json_object(), json_object()};
  pl_report_each_loop(report, count_loop, &c);
  print_files(out, pl_report_files(report));
  print_verdicts(out, c.verdicts);
  print_reasons(out, c.reasons);
  json_decref(c.verdicts);
  json_decref(c.reasons);
}

pl_bytes pl_statistics_text(const pl_report *report) {
  pl_bytes text;
  FILE *out = pl_open_text(&text.data, &text.size);
  print_counts(out, report);
  fclose(out);
  return text;
}

static void print_loop(void *context, const pl_report_place *place) {
  FILE *out = context;
  const char *id = pl_tree_text(place->loop, "id");
  char *sentence = pl_tree_sentence(place->loop);
  fprintf(out, "%s:%lld:%lld: %s: %s%s%s%s\n",
          pl_tree_text(place->file, "path"),
          pl_tree_number(place->loop, "line"),
          pl_tree_number(place->loop, "column"),
          pl_tree_text(place->kernel, "name"), sentence, *id ? " [" : "", id,
          *id ? "]" : "");
  free(sentence);
}

static void print_errors(FILE *out, const json_t *files) {
  size_t i;
  json_t *file;
  json_array_foreach(files, i, file)
    if (*pl_tree_text(file, "error"))
      fprintf(out, "%s: error: %s\n", pl_tree_text(file, "path"),
              pl_tree_text(file, "error"));
}

pl_bytes pl_text_report(const pl_report *report) {
  pl_bytes text;
  FILE *out = pl_open_text(&text.data, &text.size);
  pl_report_each_loop(report, print_loop, out);
  print_errors(out, pl_report_files(report));
  fputc('\n', out);
  print_counts(out, report);
  fclose(out);
  return text;
}
