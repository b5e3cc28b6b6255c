/* results.c - see results.h. */
#include "results.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory.h"
#include "output.h"
#include "program.h"
#include "text.h"

enum { RESULTS_VERSION = 2 };

struct pl_results {
  json_t *root, *device;
  pl_result_row *rows;
  size_t n;
  pl_result_side *sides;
  size_t n_sides;
};

/* Where a file is being read, for its messages. */
typedef struct reader {
  const char *path;
  FILE *err;
  size_t row;
  bool failed;
} reader;

static const struct {
  const char *verdict;
  pl_result_outcome outcome;
} verdicts[] = {
    {"equal", PL_OUTCOME_EQUAL},
    {"differs", PL_OUTCOME_FINDING},
    {"out-of-bounds", PL_OUTCOME_FINDING},
    {"crash", PL_OUTCOME_FINDING},
    {"timeout", PL_OUTCOME_FINDING},
    {"build-failed", PL_OUTCOME_FINDING},
    {"nondeterministic", PL_OUTCOME_OPEN},
    {"original-crash", PL_OUTCOME_OPEN},
    {"original-out-of-bounds", PL_OUTCOME_OPEN},
    {"original-build-failed", PL_OUTCOME_OPEN},
    {"undescribed", PL_OUTCOME_OPEN},
    {"no-size-set", PL_OUTCOME_OPEN},
    {"not-run", PL_OUTCOME_OPEN},
    {"harness-error", PL_OUTCOME_OPEN},
};

static void refuse(reader *r, const char *reason) {
  fprintf(r->err, "pipelinify: error: %s: %s\n", r->path, reason);
  r->failed = true;
}

static void refuse_row(reader *r, const char *member, const char *reason) {
  char *text = pl_format("row %zu: '%s' %s", r->row + 1, member, reason);
  if (!r->failed)
    refuse(r, text);
  free(text);
}

/* --- members -------------------------------------------------------------- */

static const json_t *member(reader *r, const json_t *row, const char *name) {
  const json_t *value = json_object_get(row, name);
  if (!value)
    refuse_row(r, name, "is missing");
  return value;
}

static const char *text_of(reader *r, const json_t *row, const char *name) {
  const json_t *value = member(r, row, name);
  if (value && !json_is_string(value))
    refuse_row(r, name, "is no text");
  return json_string_value(value);
}

static const char *text_or_null(reader *r, const json_t *row,
                                const char *name) {
  const json_t *value = member(r, row, name);
  return json_is_null(value) ? NULL : text_of(r, row, name);
}

/* NAN for null; a negative figure is none that was measured. */
static double number_of(reader *r, const json_t *row, const char *name) {
  const json_t *value = member(r, row, name);
  if (!value || json_is_null(value))
    return NAN;
  if (!json_is_number(value) || json_number_value(value) < 0)
    refuse_row(r, name, "is no figure");
  return json_number_value(value);
}

static int count_of(reader *r, const json_t *row, const char *name) {
  const json_t *value = member(r, row, name);
  json_int_t n = json_integer_value(value);
  if (value && (!json_is_integer(value) || n < 0 || n > 1 << 20))
    refuse_row(r, name, "is no count");
  return (int)n;
}

/* 0 for null, and in files from before it was written. */
static int barriers_of(reader *r, const json_t *row, const char *name) {
  const json_t *value = json_object_get(row, name);
  return !value || json_is_null(value) ? 0 : count_of(r, row, name);
}

static bool bool_of(reader *r, const json_t *row, const char *name) {
  const json_t *value = member(r, row, name);
  if (value && !json_is_boolean(value))
    refuse_row(r, name, "is neither true nor false");
  return json_is_true(value);
}

/* --- a row ---------------------------------------------------------------- */

static void read_copy_bytes(reader *r, const json_t *row, pl_result_row *to) {
  const json_t *list = member(r, row, "copy_bytes");
  if (list && !json_is_array(list))
    refuse_row(r, "copy_bytes", "is no array");
  size_t i, used = 0;
  json_t *bytes;
  json_array_foreach(list, i, bytes) {
    if (!json_is_integer(bytes))
      refuse_row(r, "copy_bytes", "holds what is no count");
    int n = snprintf(to->copy_bytes + used, sizeof to->copy_bytes - used,
                     "%s%" JSON_INTEGER_FORMAT, i ? "," : "",
                     json_integer_value(bytes));
    used += n > 0 ? (size_t)n : 0;
    if (used >= sizeof to->copy_bytes)
      return;
  }
}

static void read_times(reader *r, const json_t *row, pl_result_row *to) {
  to->original.ms = number_of(r, row, "time_ms_original");
  to->original.ms_min = number_of(r, row, "time_ms_original_min");
  to->original.ms_max = number_of(r, row, "time_ms_original_max");
  to->form.ms = number_of(r, row, "time_ms");
  to->form.ms_min = number_of(r, row, "time_ms_min");
  to->form.ms_max = number_of(r, row, "time_ms_max");
  to->form.gflops = number_of(r, row, "gflops");
  to->form.gbs = number_of(r, row, "gbs");
  to->speedup = to->form.ms > 0 ? to->original.ms / to->form.ms : NAN;
  to->original.gflops = to->form.gflops / to->speedup;
  to->original.gbs = to->form.gbs / to->speedup;
}

static void read_resources(reader *r, const json_t *row, pl_result_row *to) {
  to->original.registers = number_of(r, row, "registers_original");
  to->form.registers = number_of(r, row, "registers");
  to->original.spills = number_of(r, row, "spills_original");
  to->form.spills = number_of(r, row, "spills");
  to->original.smem = number_of(r, row, "smem_original");
  to->original.smem_dynamic = NAN;
  to->form.smem = number_of(r, row, "smem");
  to->form.smem_dynamic = number_of(r, row, "smem_dynamic");
  to->original.blocks_per_sm = number_of(r, row, "blocks_per_sm_original");
  to->form.blocks_per_sm = number_of(r, row, "blocks_per_sm");
}

static void read_tools(reader *r, json_t *row, pl_result_row *to) {
  json_t *tools = json_object_get(row, "sanitizer"), *said;
  const json_t *before = json_object_get(row, "sanitizer_original");
  const char *tool;
  if (!tools || !(json_is_object(tools) || json_is_null(tools)))
    refuse_row(r, "sanitizer", "is neither an object nor null");
  json_object_foreach(tools, tool, said) {
    if (!json_is_string(said) || to->n_tools == PL_MAX_TOOLS) {
      refuse_row(r, "sanitizer", "is not what tools say");
      return;
    }
    to->tools[to->n_tools++] = (pl_tool_word){
        tool, json_string_value(said),
        json_string_value(json_object_get(before, tool))};
  }
}

static bool is_finding(const char *said) {
  return said && pl_ends_with(said, " found");
}

static pl_result_outcome outcome_of_tool(const pl_tool_word *word) {
  if (is_finding(word->said))
    return is_finding(word->original) ? PL_OUTCOME_EQUAL : PL_OUTCOME_FINDING;
  return strcmp(word->said, "clean") == 0 ? PL_OUTCOME_EQUAL
                                          : PL_OUTCOME_OPEN;
}

static pl_result_outcome outcome_of_verdict(reader *r, const char *verdict) {
  for (size_t i = 0; verdict && i < sizeof verdicts / sizeof *verdicts; i++)
    if (strcmp(verdict, verdicts[i].verdict) == 0)
      return verdicts[i].outcome;
  refuse_row(r, "verdict", "is none that this version knows");
  return PL_OUTCOME_OPEN;
}

/* A finding outweighs what is open. */
static pl_result_outcome outcome_of(reader *r, const pl_result_row *row) {
  pl_result_outcome worst = outcome_of_verdict(r, row->verdict);
  const char *at_target =
      json_string_value(json_object_get(row->members, "target_compared"));
  if (at_target && strcmp(at_target, "differs") == 0)
    worst = PL_OUTCOME_FINDING;
  for (size_t i = 0; i < row->n_tools; i++) {
    pl_result_outcome outcome = outcome_of_tool(&row->tools[i]);
    if (outcome == PL_OUTCOME_FINDING || worst == PL_OUTCOME_EQUAL)
      worst = outcome;
  }
  return worst;
}

static void read_row(reader *r, json_t *row, pl_result_row *to) {
  if (!json_is_object(row)) {
    refuse_row(r, "results", "holds what is no object");
    return;
  }
  to->members = row;
  to->id = text_of(r, row, "case");
  to->kernel = text_of(r, row, "kernel");
  to->variant = text_of(r, row, "variant");
  to->verdict = text_of(r, row, "verdict");
  to->detail = text_or_null(r, row, "detail");
  to->launch = count_of(r, row, "launch");
  to->stages = count_of(r, row, "stages");
  to->old_barriers = barriers_of(r, row, "barriers_original");
  to->barriers = barriers_of(r, row, "barriers");
  to->is_auto = bool_of(r, row, "auto");
  to->sizes_run = number_of(r, row, "sizes_run");
  read_copy_bytes(r, row, to);
  read_times(r, row, to);
  read_resources(r, row, to);
  read_tools(r, row, to);
  to->outcome = outcome_of(r, to);
  if (to->verdict && strcmp(to->verdict, "equal") == 0 &&
      !(to->sizes_run > 0))
    refuse_row(r, "verdict", "is 'equal', yet no sizes were run");
}

/* --- one side alone -------------------------------------------------------- */

static void read_side(reader *r, const json_t *raw, pl_result_side *to) {
  const char *side = text_of(r, raw, "side");
  to->is_compute = side && strcmp(side, "compute") == 0;
  if (side && !to->is_compute && strcmp(side, "loads") != 0)
    refuse_row(r, "side", "is neither 'loads' nor 'compute'");
  to->id = text_of(r, raw, "case");
  to->kernel = text_of(r, raw, "kernel");
  to->launch = count_of(r, raw, "launch");
  to->detail = text_or_null(r, raw, "detail");
  to->figures = (pl_measured){
      .ms = number_of(r, raw, "time_ms"),
      .ms_min = number_of(r, raw, "time_ms_min"),
      .ms_max = number_of(r, raw, "time_ms_max"),
      .gflops = NAN,
      .gbs = NAN,
      .registers = number_of(r, raw, "registers"),
      .spills = number_of(r, raw, "spills"),
      .smem = number_of(r, raw, "smem"),
      .smem_dynamic = number_of(r, raw, "smem_dynamic"),
      .blocks_per_sm = number_of(r, raw, "blocks_per_sm"),
  };
}

static void read_sides(reader *r, pl_results *results) {
  json_t *sides = json_object_get(results->root, "sides"), *side;
  if (sides && !json_is_array(sides))
    refuse(r, "has 'sides' that are no array");
  results->n_sides = json_array_size(sides);
  results->sides = pl_alloc(results->n_sides + 1, sizeof *results->sides);
  json_array_foreach(sides, r->row, side) {
    if (!r->failed)
      read_side(r, side, &results->sides[r->row]);
  }
}

const pl_result_side *pl_results_sides(const pl_results *results, size_t *n) {
  *n = results->n_sides;
  return results->sides;
}

const pl_result_side *pl_results_side(const pl_results *results,
                                      const pl_result_row *row,
                                      bool is_compute) {
  for (size_t i = 0; i < results->n_sides; i++) {
    const pl_result_side *side = &results->sides[i];
    if (side->is_compute == is_compute && side->launch == row->launch &&
        strcmp(side->id, row->id) == 0)
      return side;
  }
  return NULL;
}

/* Less than this share of the original's time is noise. */
static const double least_gain = 0.02;

pl_overlap pl_results_overlap(const pl_results *results,
                              const pl_result_row *row) {
  const pl_result_side *loads = pl_results_side(results, row, false);
  const pl_result_side *compute = pl_results_side(results, row, true);
  pl_overlap overlap = {NAN, NAN, NAN};
  if (!loads || !compute || !(loads->figures.ms > 0) ||
      !(compute->figures.ms > 0))
    return overlap;
  double before = row->original.ms, now = row->form.ms;
  overlap.bound = fmax(loads->figures.ms, compute->figures.ms);
  if (now > 0)
    overlap.efficiency = overlap.bound / now;
  if (now > 0 && before - overlap.bound >= least_gain * before)
    overlap.gain_share = (before - now) / (before - overlap.bound);
  return overlap;
}

/* --- the file ------------------------------------------------------------- */

static void check_version(reader *r, const json_t *root) {
  const json_t *version = json_object_get(root, "version");
  if (!json_is_integer(version)) {
    refuse(r, "is no result of a prepared directory: no 'version'");
  } else if (json_integer_value(version) != RESULTS_VERSION) {
    char *text = pl_format("is version %" JSON_INTEGER_FORMAT
                           " of the format, this program reads version %d: "
                           "prepare and run it anew",
                           json_integer_value(version), RESULTS_VERSION);
    refuse(r, text);
    free(text);
  }
}

static void read_rows(reader *r, pl_results *results) {
  json_t *rows = json_object_get(results->root, "results"), *row;
  results->device = json_object_get(results->root, "device");
  if (!json_is_array(rows) || !json_is_object(results->device)) {
    refuse(r, "has no 'results' array or no 'device' object");
    return;
  }
  results->n = json_array_size(rows);
  results->rows = pl_alloc(results->n + 1, sizeof *results->rows);
  json_array_foreach(rows, r->row, row) {
    read_row(r, row, &results->rows[r->row]);
    if (r->failed)
      return;
  }
  for (size_t i = 0; i < results->n; i++)
    if (results->rows[i].outcome == PL_OUTCOME_EQUAL &&
        !pl_results_ran(results)) {
      refuse(r, "says 'equal', yet names no GPU");
      return;
    }
}

static char *file_of(const char *path) {
  struct stat info;
  bool is_dir = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
  return pl_format(is_dir ? "%s/results.json" : "%s", path);
}

static json_t *parse(reader *r) {
  pl_bytes bytes;
  json_error_t error;
  if (!pl_read_file(r->path, &bytes)) {
    refuse(r, errno == ENOENT ? "not there; the script 'run' writes it"
                              : strerror(errno));
    return NULL;
  }
  json_t *root = json_loadb(bytes.data, bytes.size, JSON_REJECT_DUPLICATES,
                            &error);
  free(bytes.data);
  if (!root)
    fprintf(r->err, "pipelinify: error: %s:%d:%d: %s\n", r->path, error.line,
            error.column, error.text);
  r->failed = !root;
  return root;
}

pl_results *pl_results_read(const char *path, FILE *err) {
  char *file = file_of(path);
  reader r = {.path = file, .err = err};
  pl_results *results = pl_alloc(1, sizeof *results);
  results->root = parse(&r);
  if (!r.failed)
    check_version(&r, results->root);
  if (!r.failed)
    read_rows(&r, results);
  if (!r.failed)
    read_sides(&r, results);
  free(file);
  if (!r.failed)
    return results;
  pl_results_free(results);
  return NULL;
}

void pl_results_free(pl_results *results) {
  if (!results)
    return;
  json_decref(results->root);
  free(results->rows);
  free(results->sides);
  free(results);
}

const pl_result_row *pl_results_rows(const pl_results *results, size_t *n) {
  *n = results->n;
  return results->rows;
}

const char *pl_results_device(const pl_results *results, const char *name) {
  return json_string_value(json_object_get(results->device, name));
}

bool pl_results_ran(const pl_results *results) {
  return pl_results_device(results, "name") != NULL;
}

int pl_results_exit_code(const pl_results *results) {
  int code = results->n ? PL_EXIT_FINE : PL_EXIT_NOT_PROVEN;
  for (size_t i = 0; i < results->n; i++) {
    if (results->rows[i].outcome == PL_OUTCOME_FINDING)
      return PL_EXIT_PROOF_FAILED;
    if (results->rows[i].outcome == PL_OUTCOME_OPEN)
      code = PL_EXIT_NOT_PROVEN;
  }
  return code;
}
