/* record.c - see record.h. */
#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "output.h"
#include "text.h"

/* The newer versions are those of records in which an entry has launch bounds, or row
 * padding. */
enum { PLAIN_VERSION = 1, BOUNDS_VERSION, RECORD_VERSION, MOST_TEXT = 200 };

struct pl_record {
  json_t *root, *kernels;
  pl_digest digest;
  const char *source; /* its last part */
  int arch; /* that choices are asked for, 0: none */
  char *measured[64]; /* texts of choices that were handed out */
  size_t n_measured;
};

char *pl_record_path(const char *asked, const char *source) {
  return asked ? pl_format("%s", asked)
               : pl_format("%s.pipelinify.json", source);
}

static const char *member(const json_t *entry, const char *name) {
  return json_string_value(json_object_get(entry, name));
}

/* ---- is it one? ---------------------------------------------------------- */

/* These texts get into comments of the rewritten source: one line, and nothing
 * that could end it or go on to the next. */
static bool is_plain(const char *text) {
  size_t n = text ? strlen(text) : 0;
  for (size_t i = 0; i < n; i++)
    if (text[i] < ' ' || text[i] > '~' || text[i] == '\\' || text[i] == '?')
      return false;
  return n > 0 && n <= MOST_TEXT;
}

static bool is_fingerprint(const char *text) {
  return text && strlen(text) == 16 &&
         strspn(text, "0123456789abcdef") == 16;
}

static bool stages_make_sense(pl_variant variant, json_int_t stages) {
  int least = pl_variant_least(variant), most = pl_variant_most(variant);
  return (stages == 0 && least == most) || (stages >= least && stages <= most);
}

static bool is_choice(const json_t *entry) {
  const char *name = member(entry, "variant");
  json_t *stages = json_object_get(entry, "stages");
  pl_variant variant = PL_VARIANT_AUTO;
  if (!name || !json_is_integer(stages))
    return false;
  if (strcmp(name, "original") != 0 && !pl_variant_parse(name, &variant))
    return false;
  return stages_make_sense(variant, json_integer_value(stages));
}

static const char *entry_problem(const json_t *entry) {
  if (!member(entry, "source") || !member(entry, "kernel"))
    return "an entry names no kernel";
  if (!is_fingerprint(member(entry, "fingerprint")))
    return "an entry has no fingerprint";
  if (!is_plain(member(entry, "gpu")) || !is_plain(member(entry, "cuda")))
    return "an entry does not say where it was measured";
  return is_choice(entry) ? NULL : "an entry's choice is none";
}

/* What keeps this from being a record; NULL: nothing. Free with free. */
static char *root_problem(const json_t *root) {
  const json_t *version = json_object_get(root, "pipelinify-record");
  const json_t *kernels = json_object_get(root, "kernels");
  if (!json_is_integer(version))
    return pl_format("no record of pipelinify");
  if (json_integer_value(version) > RECORD_VERSION)
    return pl_format("a newer pipelinify wrote this record (version %lld, "
                     "this one reads %d)",
                     (long long)json_integer_value(version), RECORD_VERSION);
  if (json_integer_value(version) < PLAIN_VERSION || !json_is_array(kernels))
    return pl_format("a damaged record");
  for (size_t i = 0; i < json_array_size(kernels); i++) {
    const char *problem = entry_problem(json_array_get(kernels, i));
    if (problem)
      return pl_format("a damaged record: %s", problem);
  }
  return NULL;
}

/* NULL without a problem: no such file. */
static json_t *load(const char *path, pl_digest *digest, char **problem) {
  pl_bytes bytes;
  json_error_t error;
  *problem = NULL;
  if (!pl_read_file(path, &bytes)) {
    if (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG)
      *problem = pl_format("%s", strerror(errno));
    return NULL;
  }
  json_t *root =
      json_loadb(bytes.data, bytes.size, JSON_REJECT_DUPLICATES, &error);
  *digest = pl_digest_of(bytes.data, bytes.size);
  free(bytes.data);
  *problem = root ? root_problem(root)
                  : pl_format("a damaged record: line %d: %s", error.line,
                              error.text);
  if (!*problem)
    return root;
  json_decref(root);
  return NULL;
}

/* ---- reading ------------------------------------------------------------- */

pl_record *pl_record_read(const char *path, const char *source,
                          char **problem) {
  pl_digest digest;
  json_t *root = load(path, &digest, problem);
  if (!root)
    return NULL;
  pl_record *record = pl_alloc(1, sizeof *record);
  record->root = root;
  record->digest = digest;
  record->kernels = json_object_get(root, "kernels");
  record->source = pl_base_name(source);
  return record;
}

void pl_record_free(pl_record *record) {
  if (!record)
    return;
  for (size_t i = 0; i < record->n_measured; i++)
    free(record->measured[i]);
  json_decref(record->root);
  free(record);
}

const pl_digest *pl_record_digest(const pl_record *record) {
  return &record->digest;
}

void pl_record_prefer(pl_record *record, int arch) { record->arch = arch; }

static int arch_of(const json_t *entry) {
  return (int)json_integer_value(json_object_get(entry, "arch"));
}

/* What stands in remarks and comments; the other architecture where one was asked
 * for that was not measured. Free with free. */
static char *measured_words(const pl_record *r, const json_t *entry) {
  int arch = arch_of(entry);
  const char *gpu = member(entry, "gpu"), *cuda = member(entry, "cuda");
  return r->arch && arch && arch != r->arch
             ? pl_format("%s, CUDA %s (sm_%d is nearest to sm_%d)", gpu, cuda, arch,
                         r->arch)
             : pl_format("%s, CUDA %s", gpu, cuda);
}

/* The text lives as long as the record; kernels of one machine share it. */
static const char *measured_text(pl_record *r, const json_t *entry) {
  char *text = measured_words(r, entry);
  for (size_t i = 0; i < r->n_measured; i++)
    if (strcmp(r->measured[i], text) == 0) {
      free(text);
      return r->measured[i];
    }
  if (r->n_measured == sizeof r->measured / sizeof *r->measured) {
    free(text);
    return "several machines";
  }
  return r->measured[r->n_measured++] = text;
}

static bool is_of(const json_t *entry, const char *name, const char *value) {
  return strcmp(member(entry, name), value) == 0;
}

enum { OTHER_GENERATION = 1000 };

/* How far an entry's machine is from what is asked for; where nothing is asked, or
 * the entry does not say, as far as any. */
static int distance(const pl_record *r, const json_t *entry) {
  int arch = arch_of(entry);
  if (!r->arch || !arch)
    return r->arch ? 2 * OTHER_GENERATION : 0;
  return abs(arch - r->arch) + (arch / 10 != r->arch / 10) * OTHER_GENERATION;
}

static const json_t *nearer(const pl_record *r, const json_t *best,
                            const json_t *entry) {
  return !best || distance(r, entry) <= distance(r, best) ? entry : best;
}

/* The entry of this very kernel, else the one of an older text of it. */
static const json_t *find(const pl_record *r, const char *name,
                          const char *fingerprint) {
  const json_t *same = NULL, *older = NULL;
  for (size_t i = 0; i < json_array_size(r->kernels); i++) {
    const json_t *entry = json_array_get(r->kernels, i);
    if (!is_of(entry, "kernel", name))
      continue;
    if (is_of(entry, "fingerprint", fingerprint))
      same = nearer(r, same, entry);
    else if (is_of(entry, "source", r->source))
      older = nearer(r, older, entry);
  }
  return same ? same : older;
}

bool pl_record_choice(const char *name, const char *fingerprint,
                      void *context, pl_choice *choice) {
  pl_record *record = context;
  const json_t *entry = find(record, name, fingerprint);
  if (!entry)
    return false;
  const char *variant = member(entry, "variant");
  *choice = (pl_choice){
      .stale = !is_of(entry, "fingerprint", fingerprint),
      .keep = strcmp(variant, "original") == 0,
      .stages = (int)json_integer_value(json_object_get(entry, "stages")),
      .launch_bounds = json_is_true(json_object_get(entry, "launch_bounds")),
      .row_padding = json_is_true(json_object_get(entry, "row_padding"))
                         ? PL_ROW_PADDING_AUTO
                         : 0,
      .measured = measured_text(record, entry),
  };
  if (!choice->keep)
    pl_variant_parse(variant, &choice->variant);
  if (pl_variant_least(choice->variant) == pl_variant_most(choice->variant))
    choice->stages = 0;
  return true;
}

json_t *pl_record_measured(const pl_record *record, const char *name,
                           const char *fingerprint) {
  static const char *const kept[] = {"gpu", "cuda", "variant", "stages",
                                     "speedup", "why"};
  const json_t *entry = fingerprint ? find(record, name, fingerprint) : NULL;
  json_t *rows = json_object_get(entry, "table");
  if (!entry || !is_of(entry, "fingerprint", fingerprint) ||
      !json_array_size(rows))
    return NULL;
  json_t *measured = json_object();
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    json_object_set(measured, kept[i], json_object_get(entry, kept[i]));
  json_object_set(measured, "rows", rows);
  return measured;
}

/* ---- writing ------------------------------------------------------------- */

/* What was measured of the same text on another GPU stays. */
static bool replaces(const json_t *entry, const json_t *old) {
  bool same_text = is_of(old, "fingerprint", member(entry, "fingerprint"));
  return is_of(old, "kernel", member(entry, "kernel")) &&
         (same_text ? is_of(old, "gpu", member(entry, "gpu"))
                    : is_of(old, "source", member(entry, "source")));
}

static void remove_old(json_t *kernels, const json_t *entry) {
  for (size_t i = json_array_size(kernels); i-- > 0;)
    if (replaces(entry, json_array_get(kernels, i)))
      json_array_remove(kernels, i);
}

static json_t *entry_json(const pl_record_entry *e) {
  json_t *entry = json_pack(
      "{s:s, s:s, s:s, s:s, s:i, s:s, s:s, s:f, s:f, s:s, s:O}", "source",
      pl_base_name(e->source), "kernel", e->kernel, "fingerprint", e->fingerprint,
      "variant", e->variant, "stages", e->stages, "gpu", e->gpu, "cuda", e->cuda,
      "speedup", e->speedup, "min_gain", e->min_gain, "why", e->why, "table",
      e->table);
  if (entry && e->arch)
    json_object_set_new(entry, "arch", json_integer(e->arch));
  if (entry && e->launch_bounds)
    json_object_set_new(entry, "launch_bounds", json_true());
  if (entry && e->row_padding)
    json_object_set_new(entry, "row_padding", json_true());
  return entry;
}

static json_t *new_root(void) {
  return json_pack("{s:i, s:s, s:[]}", "pipelinify-record", PLAIN_VERSION,
                   "pipelinify", PL_VERSION, "kernels");
}

/* The oldest that knows all that the entries say. */
static int version_of(const json_t *root) {
  int version = PLAIN_VERSION;
  size_t i;
  json_t *entry;
  json_array_foreach(json_object_get(root, "kernels"), i, entry)
    if (json_is_true(json_object_get(entry, "row_padding")))
      return RECORD_VERSION;
    else if (json_is_true(json_object_get(entry, "launch_bounds")))
      version = BOUNDS_VERSION;
  return version;
}

/* A record that could not be read back must not be written. Free with free; NULL,
 * and *problem, where it could not. */
static char *text_of(json_t *root, char **problem) {
  json_object_set_new(root, "pipelinify-record", json_integer(version_of(root)));
  *problem = root_problem(root);
  char *body = *problem ? NULL
                        : json_dumps(root, JSON_INDENT(2) |
                                               JSON_REAL_PRECISION(6));
  if (!body && !*problem)
    *problem = pl_format("a figure that JSON cannot hold");
  char *text = body ? pl_format("%s\n", body) : NULL;
  free(body);
  return text;
}

static char *write_root(const char *path, json_t *root) {
  char *problem, *text = text_of(root, &problem);
  if (text && (!pl_make_parents(path) ||
               pl_write_file(path, text, strlen(text)) == PL_WRITE_FAILED))
    problem = pl_format("%s", strerror(errno));
  free(text);
  return problem;
}

bool pl_record_add(const char *path, const pl_record_entry *entries, size_t n,
                   char **problem) {
  pl_digest digest;
  json_t *root = load(path, &digest, problem);
  if (*problem)
    return false;
  if (!root)
    root = new_root();
  json_t *kernels = json_object_get(root, "kernels");
  for (size_t i = 0; i < n && !*problem; i++) {
    json_t *entry = entry_json(&entries[i]);
    if (!entry)
      *problem = pl_format("a name that is no UTF-8");
    else
      remove_old(kernels, entry);
    if (entry)
      json_array_append_new(kernels, entry);
  }
  if (!*problem)
    *problem = write_root(path, root);
  json_decref(root);
  return !*problem;
}

/* ---- several ------------------------------------------------------------- */

/* Where an entry stands of the same text of the same kernel on the same GPU; behind
 * the last: nowhere. */
static size_t place_of(const json_t *kernels, const json_t *entry) {
  static const char *const names[] = {"source", "kernel", "fingerprint", "gpu"};
  size_t i = 0;
  for (; i < json_array_size(kernels); i++) {
    size_t same = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
      same += is_of(json_array_get(kernels, i), names[k], member(entry, names[k]));
    if (same == sizeof names / sizeof *names)
      break;
  }
  return i;
}

static void join(json_t *kernels, json_t *others) {
  for (size_t i = 0; i < json_array_size(others); i++) {
    json_t *entry = json_array_get(others, i);
    size_t at = place_of(kernels, entry);
    if (at < json_array_size(kernels))
      json_array_set(kernels, at, entry);
    else
      json_array_append(kernels, entry);
  }
}

char *pl_record_join(const char *const *paths, size_t n, char **problem) {
  json_t *whole = new_root();
  char *text = NULL;
  *problem = NULL;
  for (size_t i = 0; i < n && !*problem; i++) {
    pl_digest digest;
    char *found;
    json_t *root = load(paths[i], &digest, &found);
    if (root)
      join(json_object_get(whole, "kernels"), json_object_get(root, "kernels"));
    else
      *problem = pl_format("%s: %s", paths[i], found ? found : "no such record");
    free(found);
    json_decref(root);
  }
  if (!*problem)
    text = text_of(whole, problem);
  json_decref(whole);
  return text;
}
