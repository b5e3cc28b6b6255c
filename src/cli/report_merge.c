/* report_merge.c - see report_merge.h. */
#define _GNU_SOURCE
#include "report_merge.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "output.h"
#include "report_tree.h"
#include "run.h"
#include "text.h"

/* A report that was read. */
typedef struct part {
  const char *path;
  json_t *root, *files;
  json_t *details; /* NULL: it carries no sources */
  long long shard, shards; /* -1: of no shard */
} part;

/* A file of one of them. */
typedef struct entry {
  const part *from;
  json_t *file, *detail;
  long long position;
  size_t order; /* among all entries, as they were named */
} entry;

typedef struct merge {
  FILE *err;
  part *parts;
  size_t nparts;
  entry *entries;
  size_t nentries;
  bool failed;
} merge;

static void fail(merge *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void fail(merge *m, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("pipelinify: error: ", m->err);
  vfprintf(m->err, format, arguments);
  fputc('\n', m->err);
  va_end(arguments);
  m->failed = true;
}

/* ---- reading ---------------------------------------------------------------- */

static void read_shard(merge *m, part *p) {
  const json_t *shard = json_object_get(p->root, "shard");
  p->shard = p->shards = -1;
  if (!shard)
    return;
  p->shard = pl_tree_number(shard, "index");
  p->shards = pl_tree_number(shard, "count");
  p->details = json_object_get(shard, "details");
  if (json_array_size(p->details) != json_array_size(p->files) ||
      p->shard < 1 || p->shard > p->shards)
    fail(m, "%s: what it says of its shard is damaged", p->path);
}

/* Of the rewriter, and of this version of the program. */
static void check_kind(merge *m, part *p) {
  long long version = pl_tree_number(p->root, "version");
  const char *tool = pl_tree_text(p->root, "tool");
  p->files = json_object_get(p->root, "files");
  if (!json_is_array(p->files) || !pl_starts_with(tool, "pipelinify "))
    fail(m, "%s: no report that 'pipelinify --report' wrote in json", p->path);
  else if (version != 1)
    fail(m, "%s: version %lld of the report; this program reads version 1",
         p->path, version);
  else if (strcmp(tool, "pipelinify " PL_VERSION) != 0)
    fail(m, "%s: written by %s, and this is pipelinify %s; merge reports with"
            " the program that wrote them", p->path, tool, PL_VERSION);
  else
    read_shard(m, p);
}

static void read_part(merge *m, part *p) {
  pl_bytes text;
  json_error_t error;
  if (!pl_read_file(p->path, &text)) {
    fail(m, "%s: %s", p->path, strerror(errno));
    return;
  }
  p->root = json_loadb(text.data, text.size, 0, &error);
  free(text.data);
  if (p->root)
    check_kind(m, p);
  else
    fail(m, "%s:%d: %s", p->path, error.line, error.text);
}

static void collect(merge *m, const part *p) {
  size_t i;
  json_t *file;
  json_array_foreach(p->files, i, file) {
    json_t *detail = json_array_get(p->details, i);
    m->entries[m->nentries] = (entry){
        p, file, detail, pl_tree_number(detail, "position"), m->nentries};
    m->nentries++;
  }
}

static void collect_all(merge *m) {
  size_t count = 0;
  for (size_t i = 0; i < m->nparts; i++)
    count += json_array_size(m->parts[i].files);
  m->entries = pl_alloc(count + 1, sizeof *m->entries);
  for (size_t i = 0; i < m->nparts; i++)
    collect(m, &m->parts[i]);
}

/* ---- do they belong together ------------------------------------------------ */

static const char *list_of(const part *p) {
  return pl_tree_text(json_object_get(p->root, "shard"), "list");
}

static char *kind_of(const part *p) {
  return p->shard > 0 ? pl_format("shard %lld/%lld", p->shard, p->shards)
                      : pl_format("no shard");
}

static void fail_kinds(merge *m, const part *a, const part *b) {
  char *one = kind_of(a), *other = kind_of(b);
  fail(m, "%s is %s and %s is %s: no parts of one run", a->path, one, b->path,
       other);
  free(one);
  free(other);
}

static void check_pair(merge *m, const part *a, const part *b) {
  if (a->shards != b->shards)
    fail_kinds(m, a, b);
  else if (a->shard > 0 && a->shard == b->shard)
    fail(m, "%s and %s are both shard %lld/%lld", a->path, b->path, a->shard,
         a->shards);
  else if (strcmp(list_of(a), list_of(b)) != 0)
    fail(m, "%s and %s were not given the same list of files", a->path,
         b->path);
}

static bool has_shard(const merge *m, long long shard) {
  for (size_t i = 0; i < m->nparts; i++)
    if (m->parts[i].shard == shard)
      return true;
  return false;
}

static void check_shards(merge *m) {
  long long shards = m->parts[0].shards;
  for (size_t i = 1; i < m->nparts && !m->failed; i++)
    for (size_t k = 0; k < i && !m->failed; k++)
      check_pair(m, &m->parts[k], &m->parts[i]);
  for (long long s = 1; s <= shards && !m->failed; s++)
    if (!has_shard(m, s))
      fail(m, "the report of shard %lld/%lld is missing", s, shards);
}

static int by_path(const void *a, const void *b) {
  const entry *p = a, *q = b;
  int order = strcmp(pl_tree_text(p->file, "path"),
                     pl_tree_text(q->file, "path"));
  return order ? order : (p->order > q->order) - (p->order < q->order);
}

/* Sorts by path: those alike stand together. */
static void check_duplicates(merge *m) {
  qsort(m->entries, m->nentries, sizeof *m->entries, by_path);
  for (size_t i = 1; i < m->nentries && !m->failed; i++) {
    const entry *a = &m->entries[i - 1], *b = &m->entries[i];
    const char *path = pl_tree_text(a->file, "path");
    if (strcmp(path, pl_tree_text(b->file, "path")) != 0)
      continue;
    if (a->from == b->from)
      fail(m, "%s: %s is in it twice", a->from->path, path);
    else
      fail(m, "%s is in %s and in %s", path, a->from->path, b->from->path);
  }
}

static void check_sources(merge *m, pl_report_format format) {
  bool needed = format == PL_REPORT_SARIF || format == PL_REPORT_HTML;
  for (size_t i = 0; needed && i < m->nparts && !m->failed; i++)
    if (!m->parts[i].details)
      fail(m, "%s holds no sources, which sarif and html show; reports that"
              " --shard wrote do", m->parts[i].path);
}

/* ---- the whole -------------------------------------------------------------- */

static int by_position(const void *a, const void *b) {
  const entry *p = a, *q = b;
  if (p->position != q->position)
    return p->position < q->position ? -1 : 1;
  return (p->order > q->order) - (p->order < q->order);
}

/* Shards that named the files in different orders have no common one. */
static bool positions_agree(const merge *m) {
  for (size_t i = 1; i < m->nentries; i++)
    if (m->entries[i].from->shard > 0 &&
        m->entries[i - 1].position == m->entries[i].position)
      return false;
  return true;
}

static void put_in_order(merge *m) {
  qsort(m->entries, m->nentries, sizeof *m->entries, by_position);
  if (!positions_agree(m))
    qsort(m->entries, m->nentries, sizeof *m->entries, by_path);
}

static void write_whole(merge *m, const pl_command *command,
                        pl_streams streams) {
  pl_report *report = pl_report_new();
  const char *path = command->output;
  for (size_t i = 0; i < m->nentries; i++)
    pl_report_append(report, m->entries[i].file, m->entries[i].detail);
  pl_run_sign_report(command, report);
  pl_bytes text = pl_report_render(report, command->report_format);
  if (!path || strcmp(path, "-") == 0)
    fwrite(text.data, 1, text.size, streams.out);
  else if (pl_write_file(path, text.data, text.size) == PL_WRITE_FAILED)
    fail(m, "%s: %s", path, strerror(errno));
  free(text.data);
  pl_report_free(report);
}

int pl_report_merge(const pl_command *command, pl_streams streams) {
  merge m = {.err = streams.err, .nparts = command->ninputs};
  m.parts = pl_alloc(m.nparts, sizeof *m.parts);
  for (size_t i = 0; i < m.nparts; i++) {
    m.parts[i].path = command->inputs[i];
    read_part(&m, &m.parts[i]);
  }
  if (!m.failed)
    check_shards(&m);
  if (!m.failed)
    check_sources(&m, command->report_format);
  collect_all(&m);
  if (!m.failed)
    check_duplicates(&m);
  put_in_order(&m);
  if (!m.failed)
    write_whole(&m, command, streams);
  for (size_t i = 0; i < m.nparts; i++)
    json_decref(m.parts[i].root);
  free(m.parts);
  free(m.entries);
  return m.failed ? PL_EXIT_ERROR : PL_EXIT_FINE;
}
