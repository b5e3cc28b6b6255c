/* fixes.c - the edits in the YAML that clang-apply-replacements reads (clang's
 * tooling/ReplacementsYaml.h). It takes absolute paths. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report_tree.h"
#include "yaml.h"
#include "utf8.h"

static void print_field(FILE *out, const char *lead, const char *text,
                        size_t length) {
  fputs(lead, out);
  pl_yaml_print(out, text, length);
  fputc('\n', out);
}

static void print_edit(FILE *out, const char *path,
                       const pl_report_edit *edit) {
  print_field(out, "  - FilePath: ", path, strlen(path));
  fprintf(out, "    Offset: %zu\n    Length: %zu\n", edit->offset,
          edit->length);
  print_field(out, "    ReplacementText: ", edit->text.data, edit->text.size);
}

/* YAML's strings are UTF-8: other bytes would not survive. */
static bool can_carry(const char *path, const pl_report_edit *edits,
                      size_t count) {
  bool carried = pl_is_utf8(path, strlen(path));
  for (size_t i = 0; i < count; i++)
    carried = carried && pl_is_utf8(edits[i].text.data, edits[i].text.size);
  return carried;
}

static bool print_file(FILE *out, const pl_report *report, size_t index,
                       const char *path) {
  size_t count;
  pl_report_edit *edits = pl_report_edits(report, index, &count);
  char *resolved = realpath(path, NULL);
  const char *shown = resolved ? resolved : path;
  bool carried = can_carry(shown, edits, count);
  for (size_t i = 0; i < count && carried; i++)
    print_edit(out, shown, &edits[i]);
  pl_report_edits_free(edits, count);
  free(resolved);
  return carried;
}

pl_bytes pl_fixes_text(const pl_report *report, const char **left_out) {
  pl_bytes text;
  FILE *out = pl_open_text(&text.data, &text.size);
  json_t *file, *files = pl_report_files(report);
  size_t i;
  *left_out = NULL;
  const char *first = pl_tree_text(json_array_get(files, 0), "path");
  print_field(out, "---\nMainSourceFile: ", first, strlen(first));
  fputs("Replacements:\n", out);
  json_array_foreach(files, i, file)
    if (!print_file(out, report, i, pl_tree_text(file, "path")))
      *left_out = pl_tree_text(file, "path");
  fputs("...\n", out);
  fclose(out);
  return text;
}
