/* opt_record.c - what became of each loop in the YAML of LLVM's optimisation
 * records (llvm/lib/Remarks, "YAML remark format"), which opt-viewer reads:
 *
 *   --- !Missed
 *   Pass:            pipelinify
 *   Name:            PL3001
 *   DebugLoc:        { File: "k.cu", Line: 40, Column: 5 }
 *   Function:        "gemm"
 *   Args:
 *     - String:          "loop not pipelined: tile 'As' is written ..."
 *   ...
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report_tree.h"
#include "text.h"
#include "yaml.h"

static const char *tag_of(const json_t *loop) {
  if (pl_tree_is(loop, "verdict", "pipelined"))
    return "!Passed";
  bool missed = pl_tree_is(loop, "verdict", "refused") ||
                pl_tree_is(loop, "verdict", "kept") ||
                pl_tree_is(loop, "verdict", "suppressed");
  return missed ? "!Missed" : "!Analysis";
}

static void print_text(FILE *out, const char *text) {
  pl_yaml_print(out, text, strlen(text));
}

static void print_place(FILE *out, const char *path, long long line,
                        long long column) {
  fputs("{ File: ", out);
  print_text(out, path);
  fprintf(out, ", Line: %lld, Column: %lld }\n", line, column);
}

static void print_arg(FILE *out, const char *key, const char *text) {
  fprintf(out, "  - %s: ", key);
  print_text(out, text);
  fputc('\n', out);
}

/* ", shared memory before: 2048": the viewer joins the values of Args. */
static void print_number(FILE *out, const json_t *loop, const char *lead,
                         const char *key, const char *member) {
  long long number = pl_tree_number(loop, member);
  if (number < 0)
    return;
  char *text = pl_format("%lld", number);
  print_arg(out, "String", lead);
  print_arg(out, key, text);
  free(text);
}

static void print_notes(FILE *out, const char *path, const json_t *loop) {
  size_t i;
  json_t *note;
  json_array_foreach(json_object_get(loop, "notes"), i, note) {
    print_arg(out, "String", "; ");
    print_arg(out, "Note", pl_tree_text(note, "message"));
    fputs("    DebugLoc: ", out);
    print_place(out, path, pl_tree_number(note, "line"),
                pl_tree_number(note, "column"));
  }
}

static void print_args(FILE *out, const char *path, const json_t *loop) {
  char *sentence = pl_tree_sentence(loop);
  fputs("Args:\n", out);
  print_arg(out, "String", sentence);
  if (pl_tree_is(loop, "verdict", "pipelined")) {
    print_number(out, loop, "; blocks a multiprocessor before: ",
                 "BlocksBefore", "blocks_before");
    print_number(out, loop, ", after: ", "BlocksAfter", "blocks_after");
  }
  print_notes(out, path, loop);
  free(sentence);
}

static void print_loop(void *context, const pl_report_place *place) {
  FILE *out = context;
  const json_t *loop = place->loop;
  const char *path = pl_tree_text(place->file, "path");
  const char *id = pl_tree_text(loop, "id");
  bool blocked = pl_tree_number(loop, "at_line") > 0;
  fprintf(out, "--- %s\nPass: pipelinify\nName: %s\nDebugLoc: ", tag_of(loop),
          *id ? id : "Pipelined");
  print_place(out, path, pl_tree_number(loop, blocked ? "at_line" : "line"),
              pl_tree_number(loop, blocked ? "at_column" : "column"));
  fputs("Function: ", out);
  print_text(out, pl_tree_text(place->kernel, "name"));
  fputc('\n', out);
  print_args(out, path, loop);
  fputs("...\n", out);
}

pl_bytes pl_opt_record_text(const pl_report *report) {
  pl_bytes text;
  FILE *out = pl_open_text(&text.data, &text.size);
  pl_report_each_loop(report, print_loop, out);
  fclose(out);
  return text;
}
