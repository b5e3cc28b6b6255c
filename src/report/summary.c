/* summary.c - see summary.h. */
#include "summary.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "pipelinify.h"
#include "text.h"

enum { VERDICTS = PL_VERDICT_NOT_A_TILE_LOOP + 1 };

struct pl_summary {
  size_t files, changed, failed, ignored;
  size_t loops[VERDICTS];
  json_t *refused; /* ID: how many */
};

pl_summary *pl_summary_new(void) {
  pl_summary *summary = pl_alloc(1, sizeof *summary);
  summary->refused = json_object();
  return summary;
}

void pl_summary_free(pl_summary *summary) {
  if (!summary)
    return;
  json_decref(summary->refused);
  free(summary);
}

static void count_refusal(pl_summary *summary, const char *id) {
  json_int_t count = json_integer_value(json_object_get(summary->refused, id));
  json_object_set_new(summary->refused, id, json_integer(count + 1));
}

static void count_loop(pl_summary *summary, json_t *loop) {
  const char *verdict = json_string_value(json_object_get(loop, "verdict"));
  const char *id = json_string_value(json_object_get(loop, "id"));
  for (int v = 0; verdict && v < VERDICTS; v++)
    if (strcmp(verdict, pl_verdict_name((pl_verdict)v)) == 0) {
      summary->loops[v]++;
      if (v == PL_VERDICT_REFUSED && id)
        count_refusal(summary, id);
    }
}

static void count_file(pl_summary *summary, json_t *file) {
  size_t i, j;
  json_t *kernel, *loop;
  summary->files++;
  summary->changed += json_is_true(json_object_get(file, "changed"));
  summary->failed += json_is_string(json_object_get(file, "error"));
  summary->ignored += json_is_true(json_object_get(file, "ignored"));
  json_array_foreach(json_object_get(file, "kernels"), i, kernel)
    json_array_foreach(json_object_get(kernel, "loops"), j, loop)
      count_loop(summary, loop);
}

void pl_summary_add(pl_summary *summary, pl_bytes report) {
  json_t *root = json_loadb(report.data, report.size, 0, NULL), *file;
  size_t i;
  json_array_foreach(json_object_get(root, "files"), i, file)
    count_file(summary, file);
  json_decref(root);
}

void pl_summary_add_failure(pl_summary *summary) {
  summary->files++;
  summary->failed++;
}

static void print_refused(const pl_summary *summary, FILE *out) {
  const char *separator = " (", *id;
  json_t *count;
  void *next;
  json_object_foreach_safe(summary->refused, next, id, count) {
    fprintf(out, "%s%s: %lld", separator, id,
            (long long)json_integer_value(count));
    separator = ", ";
  }
  fputs(")", out);
}

static void print_loops(const pl_summary *summary, FILE *out) {
  static const char *const words[VERDICTS] = {
      "pipelined", "kept", "refused", "suppressed", "pipelined already",
      "not tile loops"};
  const char *separator = "; loops: ";
  for (int v = 0; v < VERDICTS; v++) {
    if (!summary->loops[v])
      continue;
    fprintf(out, "%s%zu %s", separator, summary->loops[v], words[v]);
    separator = ", ";
    if (v == PL_VERDICT_REFUSED && json_object_size(summary->refused))
      print_refused(summary, out);
  }
}

void pl_summary_print(const pl_summary *summary, FILE *out) {
  fprintf(out, "pipelinify: %zu file%s, %zu changed, %zu failed",
          summary->files, summary->files == 1 ? "" : "s", summary->changed,
          summary->failed);
  if (summary->ignored)
    fprintf(out, ", %zu ignored", summary->ignored);
  print_loops(summary, out);
  fputc('\n', out);
}
