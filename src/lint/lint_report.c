/* lint_report.c - see lint_report.h. */
#include "lint_report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "remarks.h"
#include "report_tree.h"
#include "sarif_parts.h"
#include "text.h"

struct pl_lint_book {
  json_t *files;
};

/* ---- words ------------------------------------------------------------------------- */

static void print_unread(const pl_lint_unread *unread, const char *path, FILE *out) {
  fprintf(out, "%s:%u:%u: note: in '%s': %s%s\n", path, unread->line, unread->column,
          unread->kernel, unread->is_whole ? "not read: " : "read in part: ",
          unread->message);
}

static void print_kernel(const pl_lint_kernel *kernel, const char *path, FILE *out) {
  if (!kernel->is_pipeline || !kernel->is_read) {
    if (!kernel->is_pipeline)
      fprintf(out, "%s:%u: note: '%s': no pipeline\n", path, kernel->line, kernel->name);
    return;
  }
  fprintf(out, "%s:%u: note: '%s': %zu run%s of %s", path, kernel->line, kernel->name,
          kernel->runs, kernel->runs == 1 ? "" : "s", kernel->block);
  if (kernel->most_tiles >= 0)
    fprintf(out, ", up to %lld tiles", (long long)kernel->most_tiles);
  fputc('\n', out);
}

void pl_lint_print(const pl_lint_result *result, const pl_source *source,
                   const pl_command *command, const pl_environment *env,
                   pl_streams streams) {
  size_t n;
  bool color = command->color == PL_COLOR_ALWAYS ||
               (command->color == PL_COLOR_AUTO && env->out_color);
  pl_remark_style style = {.color = color};
  const pl_lint_finding *findings = pl_lint_findings(result, &n);
  bool on_report = command->report && strcmp(command->report, "-") == 0;
  for (size_t i = 0; i < n && !on_report; i++)
    pl_remarks_print_finding(streams.out, source, &findings[i], style);
  fflush(streams.out);
  const pl_lint_unread *unread = pl_lint_unreads(result, &n);
  for (size_t i = 0; i < n && !command->quiet; i++)
    print_unread(&unread[i], source->path, streams.err);
  const pl_lint_kernel *kernels = pl_lint_kernels(result, &n);
  for (size_t i = 0; i < n && command->verbose; i++)
    print_kernel(&kernels[i], source->path, streams.err);
}

/* ---- the book ------------------------------------------------------------------------ */

static json_t *text(const char *words) {
  json_t *value = json_string(words);
  return value ? value : json_string("(not UTF-8)");
}

static json_t *notes_of(const pl_lint_finding *finding) {
  json_t *notes = json_array();
  for (size_t i = 0; i < finding->nnotes; i++)
    json_array_append_new(notes,
                          json_pack("{s:i, s:i, s:o}", "line", finding->notes[i].line,
                                    "column", finding->notes[i].column, "message",
                                    text(finding->notes[i].message)));
  return notes;
}

static json_t *findings_of(const pl_lint_result *result) {
  size_t n;
  json_t *all = json_array();
  const pl_lint_finding *findings = pl_lint_findings(result, &n);
  for (size_t i = 0; i < n; i++)
    json_array_append_new(
        all, json_pack("{s:s, s:o, s:i, s:i, s:o, s:o}", "id", findings[i].id, "kernel",
                       text(findings[i].kernel), "line", findings[i].line, "column",
                       findings[i].column, "message", text(findings[i].message),
                       "interleaving", notes_of(&findings[i])));
  return all;
}

static json_t *unread_of(const pl_lint_result *result) {
  size_t n;
  json_t *all = json_array();
  const pl_lint_unread *unread = pl_lint_unreads(result, &n);
  for (size_t i = 0; i < n; i++)
    json_array_append_new(
        all, json_pack("{s:o, s:i, s:i, s:o, s:b}", "kernel", text(unread[i].kernel),
                       "line", unread[i].line, "column", unread[i].column, "message",
                       text(unread[i].message), "whole", unread[i].is_whole));
  return all;
}

static json_t *kernels_of(const pl_lint_result *result) {
  size_t n;
  json_t *all = json_array();
  const pl_lint_kernel *kernels = pl_lint_kernels(result, &n);
  for (size_t i = 0; i < n; i++)
    json_array_append_new(
        all, json_pack("{s:o, s:i, s:b, s:b, s:I, s:I, s:s}", "name", text(kernels[i].name),
                       "line", kernels[i].line, "pipeline", kernels[i].is_pipeline, "read",
                       kernels[i].is_read, "runs", (json_int_t)kernels[i].runs, "most_tiles",
                       (json_int_t)kernels[i].most_tiles, "block", kernels[i].block));
  return all;
}

pl_lint_book *pl_lint_book_new(void) {
  pl_lint_book *book = pl_alloc(1, sizeof *book);
  book->files = pl_made(json_array());
  return book;
}

void pl_lint_book_free(pl_lint_book *book) {
  json_decref(book->files);
  free(book);
}

void pl_lint_book_add(pl_lint_book *book, const char *path, const pl_lint_result *result) {
  const char *error = pl_lint_error(result);
  json_array_append_new(
      book->files,
      pl_made(json_pack("{s:o, s:o, s:o, s:o, s:o}", "path", text(path), "error",
                        error ? text(error) : json_null(), "findings", findings_of(result),
                        "unread", unread_of(result), "kernels", kernels_of(result))));
}

/* ---- formats ---------------------------------------------------------------------------- */

static pl_bytes as_json(const pl_lint_book *book) {
  json_t *root = pl_made(json_pack("{s:s, s:i, s:s, s:O}", "schema", "pipelinify-lint",
                                   "schema_version", 1, "version", PL_VERSION, "files",
                                   book->files));
  char *body = pl_made(json_dumps(root, JSON_INDENT(2)));
  char *whole = pl_format("%s\n", body);
  json_decref(root);
  free(body);
  return (pl_bytes){whole, strlen(whole)};
}

static long long number_of(const json_t *object, const char *key) {
  return json_integer_value(json_object_get(object, key));
}

static pl_bytes as_text(const pl_lint_book *book) {
  char *whole;
  size_t size, i, k;
  json_t *file, *finding;
  FILE *out = pl_open_text(&whole, &size);
  json_array_foreach(book->files, i, file) {
    json_array_foreach(json_object_get(file, "findings"), k, finding)
      fprintf(out, "%s:%lld:%lld: %s: in '%s': %s\n", pl_tree_text(file, "path"),
              number_of(finding, "line"), number_of(finding, "column"),
              pl_tree_text(finding, "id"), pl_tree_text(finding, "kernel"),
              pl_tree_text(finding, "message"));
    json_array_foreach(json_object_get(file, "unread"), k, finding)
      fprintf(out, "%s:%lld:%lld: unread: in '%s': %s\n", pl_tree_text(file, "path"),
              number_of(finding, "line"), number_of(finding, "column"),
              pl_tree_text(finding, "kernel"), pl_tree_text(finding, "message"));
  }
  fclose(out);
  return (pl_bytes){whole, size};
}

static json_t *sarif_related(const char *path, pl_bytes source, const json_t *finding) {
  json_t *all = json_array(), *note;
  size_t i;
  json_array_foreach(json_object_get(finding, "interleaving"), i, note) {
    json_t *place = pl_sarif_location(
        path, pl_sarif_line_region(source, number_of(note, "line"),
                                   number_of(note, "column")));
    json_object_set_new(place, "id", json_integer((json_int_t)i + 1));
    json_object_set_new(place, "message",
                        pl_sarif_message(pl_tree_text(note, "message")));
    json_array_append_new(all, place);
  }
  return all;
}

static json_t *sarif_result(const char *path, pl_bytes source, json_t *rules,
                            const json_t *finding) {
  const char *id = pl_tree_text(finding, "id");
  json_t *region = pl_sarif_line_region(source, number_of(finding, "line"),
                                        number_of(finding, "column"));
  return json_pack("{s:s, s:o, s:s, s:s, s:o, s:[o], s:o}", "ruleId", id, "ruleIndex",
                   pl_sarif_rule_index(rules, id), "kind", "fail", "level", "warning",
                   "message", pl_sarif_message(pl_tree_text(finding, "message")),
                   "locations",
                   pl_sarif_location(path, region), "relatedLocations",
                   sarif_related(path, source, finding));
}

static json_t *notification(const char *path, const char *level, const char *words) {
  return json_pack("{s:s, s:o, s:[o]}", "level", level, "message", pl_sarif_message(words),
                   "locations", pl_sarif_location(path, json_pack("{s:i}", "startLine", 1)));
}

static pl_bytes as_sarif(const pl_lint_book *book) {
  json_t *rules = pl_sarif_rules(true), *results = json_array(), *notes = json_array();
  json_t *file, *item;
  size_t i, k;
  bool failed = false;
  json_array_foreach(book->files, i, file) {
    const char *path = pl_tree_text(file, "path"), *error = pl_tree_text(file, "error");
    pl_bytes source = {0};
    if (!pl_read_file(path, &source))
      source = (pl_bytes){0};
    json_array_foreach(json_object_get(file, "findings"), k, item)
      json_array_append_new(results, sarif_result(path, source, rules, item));
    json_array_foreach(json_object_get(file, "unread"), k, item)
      json_array_append_new(notes,
                            notification(path, "note", pl_tree_text(item, "message")));
    if (*error)
      json_array_append_new(notes, notification(path, "error", error));
    failed = failed || *error;
    free(source.data);
  }
  return pl_sarif_document(rules, results, notes, failed);
}

pl_bytes pl_lint_book_text(const pl_lint_book *book, const pl_command *command) {
  switch (command->report_format) {
  case PL_REPORT_SARIF:
    return as_sarif(book);
  case PL_REPORT_TEXT:
    return as_text(book);
  default:
    return as_json(book);
  }
}
