/* report.c - see report.h. */
#include "report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget.h"
#include "memory.h"
#include "remarks.h"
#include "report_tree.h"
#include "text.h"

enum { DIGITS = 6 }; /* of a real number */

struct pl_report {
  json_t *root, *files;
  json_t *details; /* one a file: {"source", "edits"}; bytes as code points */
  char *command, *date; /* NULL: not known */
};

static void set(json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0)
    pl_out_of_memory();
}

/* Bytes that are not UTF-8 become question marks: JSON has no others. */
static json_t *text_with_marks(const char *text) {
  char *clean = pl_format("%s", text);
  for (char *c = clean; *c; c++)
    if ((unsigned char)*c >= 0x80)
      *c = '?';
  json_t *value = json_string(clean);
  free(clean);
  return value;
}

static json_t *text_or_null(const char *text) {
  if (!text)
    return json_null();
  json_t *value = json_string(text);
  return value ? value : text_with_marks(text);
}

/* Negative numbers stand for what is not known. */
static json_t *known(int64_t number) {
  return number < 0 ? json_null() : json_integer(number);
}

static json_t *texts(const char *const *items, size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(array, text_or_null(items[i]));
  return array;
}

static json_t *integers(const int *items, size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(array, json_integer(items[i]));
  return array;
}

static json_t *message(const pl_loop_report *loop) {
  if (loop->verdict != PL_VERDICT_PIPELINED)
    return text_or_null(loop->message);
  char *outcome = pl_loop_outcome(loop);
  json_t *value = text_or_null(outcome);
  free(outcome);
  return value;
}

static json_t *certainty(const pl_loop_report *loop) {
  if (loop->verdict != PL_VERDICT_REFUSED)
    return json_null();
  return json_string(loop->certain ? "no" : "unknown");
}

static json_t *note_object(const pl_note *note) {
  json_t *object = json_object();
  set(object, "line", json_integer(note->line));
  set(object, "column", json_integer(note->column));
  set(object, "message", text_or_null(note->message));
  return object;
}

static json_t *notes(const pl_loop_report *loop) {
  json_t *array = json_array();
  for (size_t i = 0; i < loop->nnotes; i++)
    json_array_append_new(array, note_object(&loop->notes[i]));
  return array;
}

static json_t *budget_entry(const pl_arch *arch, const pl_loop_report *loop,
                            int stages) {
  int64_t bytes = pl_budget_bytes(loop, stages);
  json_t *object = json_object();
  set(object, "stages", json_integer(stages));
  set(object, "smem", json_integer(bytes));
  set(object, "blocks",
      json_integer(pl_budget_blocks(arch, bytes, loop->threads)));
  set(object, "fits", json_boolean(bytes <= arch->smem_block_static));
  return object;
}

static json_t *arch_budget(const pl_arch *arch, const pl_loop_report *loop,
                           const int *stages, size_t count) {
  json_t *object = json_object(), *entries = json_array();
  set(object, "arch", json_integer(arch->sm));
  set(object, "smem_block_static", json_integer(arch->smem_block_static));
  set(object, "smem_sm", json_integer(arch->smem_sm));
  for (size_t i = 0; i < count; i++)
    json_array_append_new(entries, budget_entry(arch, loop, stages[i]));
  set(object, "costs", entries);
  return object;
}

static json_t *budget(const pl_loop_report *loop) {
  int stages[PL_BUDGET_STAGES];
  const pl_arch *archs[PL_BUDGET_ARCHS];
  size_t count = pl_budget_stages(loop, stages);
  size_t rows = count ? pl_budget_archs(archs) : 0;
  json_t *array = json_array();
  for (size_t i = 0; i < rows; i++)
    json_array_append_new(array, arch_budget(archs[i], loop, stages, count));
  return array;
}

static void set_outcome(json_t *object, const pl_loop_report *loop) {
  bool written = loop->verdict == PL_VERDICT_PIPELINED;
  const char *variant = written ? pl_variant_name(loop->variant) : NULL;
  set(object, "variant", text_or_null(variant));
  set(object, "stages", written ? json_integer(loop->stages) : json_null());
  set(object, "copy_bytes", integers(loop->copy_bytes, loop->ncopies));
  set(object, "smem_before", known(loop->smem_before));
  set(object, "smem_after", known(loop->smem_after));
}

static void set_place(json_t *object, const pl_loop_report *loop) {
  set(object, "begin", json_integer(loop->begin));
  set(object, "end", json_integer(loop->end));
  set(object, "at_line",
      loop->at_line ? json_integer(loop->at_line) : json_null());
  set(object, "at_column",
      loop->at_line ? json_integer(loop->at_column) : json_null());
  set(object, "notes", notes(loop));
}

/* To the digits that JSON has: who reads it back sees the same figure. */
static double shortened(double number) {
  char text[32];
  snprintf(text, sizeof text, "%.*g", DIGITS, number);
  return strtod(text, NULL);
}

/* Where it was asked for. */
static void set_certificate(json_t *object, const pl_loop_report *loop) {
  if (!loop->certificate)
    return;
  set(object, "certificate", json_string(loop->certificate));
  set(object, "premises", texts(loop->premises, loop->npremises));
}

/* 0 stands for those that statements may hold. */
static json_t *barriers(const pl_loop_report *loop, int count) {
  bool known = loop->verdict == PL_VERDICT_PIPELINED && count > 0;
  return known ? json_integer(count) : json_null();
}

static void set_figures(json_t *object, const pl_loop_report *loop) {
  set_certificate(object, loop);
  set(object, "why", text_or_null(loop->why));
  set(object, "ratio",
      loop->ratio < 0 ? json_null() : json_real(shortened(loop->ratio)));
  set(object, "threads", known(loop->threads));
  set(object, "staging_bytes", known(loop->staging_bytes));
  set(object, "smem_limit", known(loop->smem_limit));
  set(object, "blocks_before", known(loop->blocks_before));
  set(object, "blocks_after", known(loop->blocks_after));
  set(object, "budget", budget(loop));
  set(object, "barriers_before", barriers(loop, loop->barriers_before));
  set(object, "barriers_after", barriers(loop, loop->barriers_after));
}

static json_t *loop_object(const pl_loop_report *loop) {
  json_t *object = json_object();
  set(object, "line", json_integer(loop->line));
  set(object, "column", json_integer(loop->column));
  set(object, "verdict", json_string(pl_verdict_name(loop->verdict)));
  set(object, "certainty", certainty(loop));
  set(object, "id", text_or_null(loop->id));
  set(object, "message", message(loop));
  set_outcome(object, loop);
  set_place(object, loop);
  set_figures(object, loop);
  return object;
}

static json_t *kernel_object(const pl_kernel_report *kernel) {
  json_t *object = json_object(), *loops = json_array();
  set(object, "name", text_or_null(kernel->name));
  set(object, "line", json_integer(kernel->line));
  set(object, "instantiations",
      texts(kernel->instantiations, kernel->ninstantiations));
  for (size_t i = 0; i < kernel->nloops; i++)
    json_array_append_new(loops, loop_object(&kernel->loops[i]));
  set(object, "loops", loops);
  set(object, "global", json_boolean(kernel->is_global));
  set(object, "measured", json_null());
  return object;
}

pl_report *pl_report_new(void) {
  pl_report *report = pl_alloc(1, sizeof *report);
  report->root = json_object();
  report->files = json_array();
  report->details = json_array();
  set(report->root, "version", json_integer(1));
  set(report->root, "files", report->files);
  set(report->root, "tool", json_string("pipelinify " PL_VERSION));
  return report;
}

void pl_report_free(pl_report *report) {
  if (!report)
    return;
  json_decref(report->root);
  json_decref(report->details);
  free(report->command);
  free(report->date);
  free(report);
}

static json_t *add_file(pl_report *report, const char *path, json_t *kernels,
                        bool changed, const char *error) {
  json_t *object = json_object();
  set(object, "path", text_or_null(path));
  set(object, "kernels", kernels);
  set(object, "changed", json_boolean(changed));
  set(object, "error", text_or_null(error));
  set(object, "ignored", json_false());
  set(object, "arch", json_null());
  json_array_append_new(report->files, object);
  json_array_append_new(report->details, json_object());
  return object;
}

void pl_report_add_ignored(pl_report *report, const char *path) {
  set(add_file(report, path, json_array(), false, NULL), "ignored",
      json_true());
}

void pl_report_add(pl_report *report, const char *path,
                   const pl_kernel_report *kernels, size_t count,
                   bool changed) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(array, kernel_object(&kernels[i]));
  add_file(report, path, array, changed, NULL);
}

void pl_report_add_measured(pl_report *report, const pl_record *record,
                            const pl_kernel_report *kernels, size_t count) {
  size_t last = json_array_size(report->files);
  json_t *file = last ? json_array_get(report->files, last - 1) : NULL;
  json_t *objects = json_object_get(file, "kernels");
  for (size_t i = 0; i < count; i++) {
    const pl_kernel_report *kernel = &kernels[i];
    json_t *measured =
        pl_record_measured(record, kernel->name, kernel->fingerprint);
    if (measured)
      set(json_array_get(objects, i), "measured", measured);
  }
}

void pl_report_target(pl_report *report, int arch) {
  enum { DEFAULT_ARCH = 80 };
  size_t last = json_array_size(report->files);
  json_t *file = last ? json_array_get(report->files, last - 1) : NULL;
  if (file)
    set(file, "arch", json_integer(arch ? arch : DEFAULT_ARCH));
}

void pl_report_made_by(pl_report *report, const char *command,
                       const char *date) {
  free(report->command);
  free(report->date);
  report->command = pl_format("%s", command);
  report->date = pl_format("%s", date);
}

const char *pl_report_command(const pl_report *report) {
  return report->command;
}

const char *pl_report_date(const pl_report *report) { return report->date; }

void pl_report_add_note(pl_report *report, const pl_note *note) {
  size_t last = json_array_size(report->files);
  json_t *file = last ? json_array_get(report->files, last - 1) : NULL;
  json_t *list = json_array();
  json_array_append_new(list, note_object(note));
  if (file)
    set(file, "notes", list);
  else
    json_decref(list);
}

void pl_report_add_error(pl_report *report, const char *path,
                         const char *error) {
  add_file(report, path, json_array(), false, error);
}

void pl_report_position(pl_report *report, size_t position) {
  for (size_t i = json_array_size(report->details); i-- > 0;) {
    json_t *detail = json_array_get(report->details, i);
    if (json_object_get(detail, "position"))
      return;
    set(detail, "position", json_integer((json_int_t)position));
  }
}

void pl_report_be_shard(pl_report *report, int shard, int shards,
                        uint64_t list) {
  json_t *object = json_object();
  char *name = pl_format("%016" PRIx64, list);
  set(object, "index", json_integer(shard));
  set(object, "count", json_integer(shards));
  set(object, "list", json_string(name));
  set(object, "details", json_incref(report->details));
  set(report->root, "shard", object);
  free(name);
}

void pl_report_append(pl_report *report, json_t *file, json_t *detail) {
  json_array_append(report->files, file);
  json_array_append_new(report->details,
                        detail ? json_incref(detail) : json_object());
}

pl_bytes pl_report_text(const pl_report *report) {
  char *body = pl_made(json_dumps(
      report->root, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS)));
  char *text = pl_format("%s\n", body);
  free(body);
  return (pl_bytes){text, strlen(text)};
}

json_t *pl_report_files(const pl_report *report) { return report->files; }

/* Any bytes as a JSON string: byte 0xE9 becomes the code point U+00E9. */
static json_t *pack_bytes(const char *bytes, size_t length) {
  char *text = pl_alloc(length + 1, 2), *out = text;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)bytes[i];
    if (c >= 0x80)
      *out++ = (char)(0xc0 | c >> 6);
    *out++ = (char)(c < 0x80 ? c : 0x80 | (c & 0x3f));
  }
  json_t *value = json_stringn(text, (size_t)(out - text));
  free(text);
  return value;
}

static pl_bytes unpack_bytes(const json_t *value) {
  pl_bytes bytes = {NULL, 0};
  if (!json_is_string(value))
    return bytes;
  const char *text = json_string_value(value);
  size_t length = json_string_length(value);
  bytes.data = pl_alloc(length + 1, 1);
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c >= 0xc0 && i + 1 < length)
      c = (unsigned char)((c & 3) << 6 | ((unsigned char)text[++i] & 0x3f));
    bytes.data[bytes.size++] = (char)c;
  }
  return bytes;
}

static json_t *pack_edit(const pl_edit *edit) {
  json_t *object = json_object();
  set(object, "offset", json_integer(edit->offset));
  set(object, "length", json_integer(edit->length));
  set(object, "text", pack_bytes(edit->text, edit->text_length));
  return object;
}

void pl_report_add_source(pl_report *report, const char *text, size_t length,
                          const pl_edit *edits, size_t count) {
  size_t last = json_array_size(report->details);
  if (!last)
    return;
  json_t *detail = json_array_get(report->details, last - 1);
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(array, pack_edit(&edits[i]));
  set(detail, "source", pack_bytes(text, length));
  set(detail, "edits", array);
}

pl_bytes pl_report_source(const pl_report *report, size_t index) {
  json_t *detail = json_array_get(report->details, index);
  return unpack_bytes(json_object_get(detail, "source"));
}

/* Joins an edit to the one before it where they touch. */
static bool join_edit(pl_report_edit *before, pl_report_edit *edit) {
  if (before->offset + before->length != edit->offset)
    return false;
  size_t size = before->text.size + edit->text.size;
  char *data = pl_alloc(size + 1, 1);
  memcpy(data, before->text.data, before->text.size);
  memcpy(data + before->text.size, edit->text.data, edit->text.size);
  free(before->text.data);
  free(edit->text.data);
  before->text = (pl_bytes){data, size};
  before->length += edit->length;
  return true;
}

static size_t join_edits(pl_report_edit *edits, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (!kept || !join_edit(&edits[kept - 1], &edits[i]))
      edits[kept++] = edits[i];
  return kept;
}

pl_report_edit *pl_report_edits(const pl_report *report, size_t index,
                                size_t *count) {
  json_t *detail = json_array_get(report->details, index), *edit;
  json_t *array = json_object_get(detail, "edits");
  pl_report_edit *edits = pl_alloc(json_array_size(array) + 1, sizeof *edits);
  size_t i;
  json_array_foreach(array, i, edit)
    edits[i] = (pl_report_edit){(size_t)pl_tree_number(edit, "offset"),
                                (size_t)pl_tree_number(edit, "length"),
                                unpack_bytes(json_object_get(edit, "text"))};
  *count = join_edits(edits, json_array_size(array));
  return edits;
}

void pl_report_edits_free(pl_report_edit *edits, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(edits[i].text.data);
  free(edits);
}

pl_bytes pl_report_pack(const pl_report *report) {
  json_t *whole = pl_made(json_pack("{s:O, s:O}", "files", report->files,
                                    "details", report->details));
  char *text = pl_made(json_dumps(whole, JSON_COMPACT));
  json_decref(whole);
  return (pl_bytes){text, strlen(text)};
}

bool pl_report_unpack(pl_report *report, const char *data, size_t size) {
  json_t *whole = json_loadb(data, size, 0, NULL);
  json_t *files = json_object_get(whole, "files");
  json_t *details = json_object_get(whole, "details");
  bool valid = json_is_array(files) && json_is_array(details) &&
               json_array_size(files) == json_array_size(details);
  if (valid) {
    json_array_extend(report->files, files);
    json_array_extend(report->details, details);
  }
  json_decref(whole);
  return valid;
}

pl_bytes pl_report_render(const pl_report *report, pl_report_format format) {
  switch (format) {
  case PL_REPORT_SARIF: return pl_sarif_text(report);
  case PL_REPORT_TEXT: return pl_text_report(report);
  case PL_REPORT_HTML: return pl_html_text(report);
  default: return pl_report_text(report);
  }
}
