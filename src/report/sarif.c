/* sarif.c - the report as SARIF 2.1.0 (OASIS), with what code hosts ask for:
 * stable rule IDs, relative paths, fingerprints, levels, fixes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "report_tree.h"
#include "sarif_parts.h"
#include "text.h"
#include "utf8.h"

#define SCHEMA \
  "https://json.schemastore.org/sarif-2.1.0.json"

/* The rule of loops that were, or would be, pipelined: they have no reason. */
#define PIPELINED_ID "PL0001"

/* What a verdict is to a code host. A kind other than "fail" has to have the
 * level "none" (SARIF 2.1.0, 3.27.10). */
typedef struct level_row {
  const char *verdict, *kind, *level;
} level_row;

static const level_row level_table[] = {
    {"pipelined", "fail", "warning"},
    {"refused", "fail", "note"},
    {"suppressed", "fail", "note"},
    {"kept", "informational", "none"},
    {"already-pipelined", "pass", "none"},
};

static const level_row *find_level(const json_t *loop) {
  for (size_t i = 0; i < sizeof level_table / sizeof *level_table; i++)
    if (pl_tree_is(loop, "verdict", level_table[i].verdict))
      return &level_table[i];
  return NULL;
}

static void set(json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0)
    pl_out_of_memory();
}

static json_t *text_or_marks(const char *text) {
  json_t *value = json_string(text);
  return value ? value : json_string("(not UTF-8)");
}

json_t *pl_sarif_message(const char *text) {
  json_t *object = json_object();
  set(object, "text", text_or_marks(text));
  return object;
}

/* A place in the text, lines and columns from 1, columns in UTF-16 units. */
typedef struct position {
  long long line, column;
} position;

/* UTF-16 units that a byte begins: none for the rest of a character. */
static int utf16_units(unsigned char c) {
  return (c & 0xc0) == 0x80 ? 0 : c >= 0xf0 ? 2 : 1;
}

static position find_position(pl_bytes source, size_t offset) {
  position p = {1, 1};
  for (size_t i = 0; i < offset && i < source.size; i++) {
    unsigned char c = (unsigned char)source.data[i];
    p.column = c == '\n' ? 1 : p.column + utf16_units(c);
    p.line += c == '\n';
  }
  return p;
}

static size_t line_start(pl_bytes source, long long line) {
  size_t at = 0;
  for (; line > 1 && at < source.size; at++)
    line -= source.data[at] == '\n';
  return at;
}

static json_t *region_between(position start, position end) {
  json_t *region = json_object();
  set(region, "startLine", json_integer(start.line));
  set(region, "startColumn", json_integer(start.column));
  set(region, "endLine", json_integer(end.line));
  set(region, "endColumn", json_integer(end.column));
  return region;
}

/* From a place that the report names, a byte column, to its line's end. */
json_t *pl_sarif_line_region(pl_bytes source, long long line, long long column) {
  size_t start = line_start(source, line) + (size_t)(column - 1);
  size_t end = start;
  while (end < source.size && !strchr("\r\n", source.data[end]))
    end++;
  if (start > source.size)
    return json_pack("{s:I}", "startLine", (json_int_t)line);
  return region_between(find_position(source, start),
                        find_position(source, end));
}

/* What of a path is below the working directory; the path itself else. */
static const char *relative_path(const char *path) {
  char *here = getcwd(NULL, 0);
  size_t length = here ? strlen(here) : 0;
  if (length && pl_starts_with(path, here) && path[length] == '/')
    path += length + 1;
  free(here);
  while (path[0] == '.' && path[1] == '/')
    path += 2;
  return path;
}

static bool is_unreserved(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || (c && strchr("-._~/", c));
}

static json_t *artifact(const char *path) {
  const char *relative = relative_path(path);
  bool absolute = *relative == '/';
  char *uri = pl_alloc(strlen(relative) + 8, 3), *out = uri;
  out += sprintf(out, "%s", absolute ? "file://" : "");
  for (const char *c = relative; *c; c++)
    if (is_unreserved((unsigned char)*c))
      *out++ = *c;
    else
      out += sprintf(out, "%%%02X", (unsigned char)*c);
  json_t *object = json_object();
  set(object, "uri", json_string(uri));
  if (!absolute)
    set(object, "uriBaseId", json_string("%SRCROOT%"));
  free(uri);
  return object;
}

json_t *pl_sarif_location(const char *path, json_t *region) {
  return json_pack("{s:{s:o, s:o}}", "physicalLocation", "artifactLocation",
                   artifact(path), "region", region);
}

typedef struct sarif {
  json_t *rules, *results, *notifications;
  json_t *seen; /* fingerprint: how often so far */
  long long fixed_file; /* that has its fix already; -1: none */
} sarif;

static json_t *rule_object(const char *id, const char *name,
                           const char *title, const char *page, bool of_lint) {
  json_t *rule = json_pack("{s:s, s:s, s:o, s:o}", "id", id, "name", name,
                           "shortDescription", pl_sarif_message(title),
                           "fullDescription", pl_sarif_message(title));
  if (page)
    set(rule, "help", json_pack("{s:s, s:s}", "text", page, "markdown", page));
  set(rule, "defaultConfiguration", json_pack("{s:s}", "level",
      strcmp(id, PIPELINED_ID) == 0 || of_lint ? "warning" : "note"));
  set(rule, "properties",
      json_pack("{s:[s, s], s:s}", "tags", of_lint ? "correctness" : "performance",
                "cuda", "precision", "very-high"));
  return rule;
}

json_t *pl_sarif_rules(bool of_lint) {
  size_t count;
  json_t *rules = json_array();
  const pl_reason *reasons = pl_reasons(&count);
  if (!of_lint)
    json_array_append_new(rules, rule_object(
        PIPELINED_ID, "tile-loop-pipelined",
        "the tile loop can be software-pipelined", NULL, false));
  for (size_t i = 0; i < count; i++)
    if (reasons[i].of_lint == of_lint)
      json_array_append_new(rules, rule_object(reasons[i].id, reasons[i].name,
                                               reasons[i].title,
                                               reasons[i].page, of_lint));
  return rules;
}

json_t *pl_sarif_rule_index(const json_t *rules, const char *id) {
  size_t i;
  json_t *rule;
  json_array_foreach(rules, i, rule)
    if (pl_tree_is(rule, "id", id))
      return json_integer((json_int_t)i);
  return json_integer(-1);
}

enum { FNV_PRIME_LOW = 0x1b3 };
#define FNV_START UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME ((UINT64_C(1) << 40) + FNV_PRIME_LOW)

/* FNV-1a over the bytes that are no white space. */
static uint64_t hash_text(uint64_t hash, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (!strchr(" \t\r\n", text[i]))
      hash = (hash ^ (unsigned char)text[i]) * FNV_PRIME;
  return hash;
}

/* Of the kernel's name and the loop's text, without white space, so that
 * lines put above or another indentation do not change it; the n-th loop with
 * one hash gets ":n". */
static json_t *fingerprints(sarif *s, const pl_report_place *place,
                            pl_bytes source) {
  const char *name = pl_tree_text(place->kernel, "name");
  size_t begin = (size_t)pl_tree_number(place->loop, "begin");
  size_t end = (size_t)pl_tree_number(place->loop, "end");
  uint64_t hash = hash_text(FNV_START, name, strlen(name));
  if (begin <= end && end <= source.size)
    hash = hash_text(hash, source.data + begin, end - begin);
  char *key = pl_format("%s %016" PRIx64, pl_tree_text(place->file, "path"),
                        hash);
  json_int_t nth = json_integer_value(json_object_get(s->seen, key)) + 1;
  if (pl_is_utf8(key, strlen(key)))
    set(s->seen, key, json_integer(nth));
  char *value = pl_format("%016" PRIx64 ":%lld", hash, (long long)nth);
  json_t *object = json_pack("{s:s, s:s}", "primaryLocationLineHash", value,
                             "tileLoop/v1", value);
  free(value);
  free(key);
  return object;
}

static json_t *replacement(pl_bytes source, const pl_report_edit *edit) {
  position start = find_position(source, edit->offset);
  position end = find_position(source, edit->offset + edit->length);
  json_t *text = json_stringn(edit->text.data, edit->text.size);
  if (!text)
    return NULL;
  return json_pack("{s:o, s:{s:o}}", "deletedRegion",
                   region_between(start, end), "insertedContent", "text",
                   text);
}

/* The edits of the whole file: a part of them would not be a program. NULL
 * where JSON cannot carry them. */
static json_t *fix(const pl_report_place *place, pl_bytes source) {
  size_t count;
  pl_report_edit *edits =
      pl_report_edits(place->report, place->file_index, &count);
  json_t *replacements = json_array();
  bool carried = count;
  for (size_t i = 0; i < count && carried; i++)
    carried = json_array_append_new(replacements,
                                    replacement(source, &edits[i])) == 0;
  pl_report_edits_free(edits, count);
  if (carried)
    return json_pack(
        "{s:o, s:[{s:o, s:o}]}", "description",
        pl_sarif_message("Software-pipeline the tile loops of this file"),
        "artifactChanges", "artifactLocation",
        artifact(pl_tree_text(place->file, "path")), "replacements",
        replacements);
  json_decref(replacements);
  return NULL;
}

static void set_fix(sarif *s, json_t *result, const pl_report_place *place,
                    pl_bytes source) {
  bool first = s->fixed_file != (long long)place->file_index;
  if (!first || !pl_tree_is(place->loop, "verdict", "pipelined"))
    return;
  json_t *object = fix(place, source);
  if (object)
    set(result, "fixes", json_pack("[o]", object));
  s->fixed_file = (long long)place->file_index;
}

/* The blocking statement where there is one. */
static json_t *main_region(const json_t *loop, pl_bytes source) {
  bool blocked = pl_tree_number(loop, "at_line") > 0;
  return pl_sarif_line_region(source, pl_tree_number(loop, blocked ? "at_line" : "line"),
                     pl_tree_number(loop, blocked ? "at_column" : "column"));
}

static json_t *related(const pl_report_place *place, pl_bytes source) {
  const char *path = pl_tree_text(place->file, "path");
  json_t *array = json_array(), *note;
  size_t i;
  json_array_foreach(json_object_get(place->loop, "notes"), i, note) {
    json_t *entry =
        pl_sarif_location(path, pl_sarif_line_region(source, pl_tree_number(note, "line"),
                                   pl_tree_number(note, "column")));
    set(entry, "id", json_integer((json_int_t)i + 1));
    set(entry, "message", pl_sarif_message(pl_tree_text(note, "message")));
    json_array_append_new(array, entry);
  }
  return array;
}

static json_t *result_object(sarif *s, const pl_report_place *place,
                             const level_row *level, pl_bytes source) {
  const char *id = pl_tree_text(place->loop, "id");
  char *sentence = pl_tree_sentence(place->loop);
  json_t *result = json_object();
  id = *id ? id : PIPELINED_ID;
  set(result, "ruleId", json_string(id));
  set(result, "ruleIndex", pl_sarif_rule_index(s->rules, id));
  set(result, "kind", json_string(level->kind));
  set(result, "level", json_string(level->level));
  set(result, "message", pl_sarif_message(sentence));
  set(result, "locations",
      json_pack("[o]", pl_sarif_location(pl_tree_text(place->file, "path"),
                                main_region(place->loop, source))));
  set(result, "relatedLocations", related(place, source));
  set(result, "partialFingerprints", fingerprints(s, place, source));
  if (strcmp(level->verdict, "suppressed") == 0)
    set(result, "suppressions", json_pack("[{s:s}]", "kind", "inSource"));
  free(sentence);
  return result;
}

static void add_result(void *context, const pl_report_place *place) {
  sarif *s = context;
  const level_row *level = find_level(place->loop);
  if (!level)
    return;
  pl_bytes source = pl_report_source(place->report, place->file_index);
  json_t *result = result_object(s, place, level, source);
  set_fix(s, result, place, source);
  json_array_append_new(s->results, result);
  free(source.data);
}

/* Files that gave no result. */
static bool add_errors(sarif *s, const pl_report *report) {
  size_t i;
  json_t *file;
  json_array_foreach(pl_report_files(report), i, file) {
    const char *error = pl_tree_text(file, "error");
    if (*error)
      json_array_append_new(
          s->notifications,
          json_pack("{s:s, s:o, s:[{s:{s:o}}]}", "level", "error", "message",
                    pl_sarif_message(error), "locations", "physicalLocation",
                    "artifactLocation", artifact(pl_tree_text(file, "path"))));
  }
  return json_array_size(s->notifications);
}

static json_t *run_object(json_t *rules, json_t *results, json_t *notifications,
                          bool failed) {
  json_t *driver = json_pack(
      "{s:s, s:s, s:o}", "name", "pipelinify", "version", PL_VERSION, "rules", rules);
  json_t *invocation = json_pack("{s:b, s:o}", "executionSuccessful", !failed,
                                 "toolExecutionNotifications", notifications);
  return json_pack(
      "{s:{s:o}, s:s, s:{s:{s:{s:s}}}, s:[o], s:o}", "tool", "driver", driver,
      "columnKind", "utf16CodeUnits", "originalUriBaseIds", "%SRCROOT%",
      "description", "text", "where pipelinify was started", "invocations",
      invocation, "results", results);
}

pl_bytes pl_sarif_document(json_t *rules, json_t *results, json_t *notifications,
                           bool failed) {
  json_t *run = run_object(rules, results, notifications, failed);
  json_t *root = pl_made(json_pack("{s:s, s:s, s:[o]}", "$schema", SCHEMA, "version",
                                   "2.1.0", "runs", run));
  char *body = pl_made(json_dumps(root, JSON_INDENT(2)));
  char *text = pl_format("%s\n", body);
  json_decref(root);
  free(body);
  return (pl_bytes){text, strlen(text)};
}

pl_bytes pl_sarif_text(const pl_report *report) {
  sarif s = {pl_sarif_rules(false), json_array(), json_array(), json_object(), -1};
  pl_report_each_loop(report, add_result, &s);
  bool failed = add_errors(&s, report);
  json_decref(s.seen);
  return pl_sarif_document(s.rules, s.results, s.notifications, failed);
}
