/* gpu_sources.c - see gpu_sources.h. */
#include "gpu_sources.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "text.h"

enum { MOST_FILES = 1000 };

typedef struct finder {
  pl_arena *arena;
  pl_gpu_sources found;
  size_t cap, cap_dirs;
} finder;

/* Absolute and without links; NULL where there is no such file. */
static const char *real_path(finder *f, const char *path) {
  char *real = realpath(path, NULL);
  if (!real)
    return NULL;
  const char *copy = pl_arena_printf(f->arena, "%s", real).p;
  free(real);
  return copy;
}

static const char *directory_of(finder *f, const char *path) {
  const char *slash = strrchr(path, '/');
  size_t n = slash == path ? 1 : (size_t)(slash - path);
  return pl_arena_cstr(f->arena, (pl_str){path, n});
}

static bool has_path(const char *const *paths, size_t n, const char *path) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(paths[i], path) == 0)
      return true;
  return false;
}

/* The compiler finds these by itself on every machine. */
static bool is_foreign(const char *dir) {
  char *header = pl_format("%s/cuda_runtime.h", dir);
  bool is_toolkit = access(header, R_OK) == 0;
  free(header);
  return is_toolkit || pl_starts_with(dir, "/usr/include");
}

static void add_include_dir(finder *f, const char *dir) {
  const char *real = real_path(f, dir);
  pl_gpu_sources *s = &f->found;
  if (real && !is_foreign(real) &&
      !has_path(s->include_dirs, s->n_include_dirs, real))
    PL_PUSH(f->arena, s->include_dirs, s->n_include_dirs, f->cap_dirs, real);
}

static const char *below(finder *f, const char *dir, pl_str name) {
  char *path = pl_format("%s/%.*s", dir, PL_FMT(name));
  const char *real = access(path, R_OK) == 0 ? real_path(f, path) : NULL;
  free(path);
  return real;
}

/* The header that `#include` means in a file of directory `from`. */
static const char *find_header(finder *f, const char *from, pl_str name,
                               bool is_quoted) {
  const char *path = is_quoted ? below(f, from, name) : NULL;
  for (size_t i = 0; !path && i < f->found.n_include_dirs; i++)
    path = below(f, f->found.include_dirs[i], name);
  return path;
}

static const char *skip_spaces(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\t'))
    p++;
  return p;
}

/* The name between quotes or angles, of a line that is an #include. */
static bool read_include(const char *p, const char *end, pl_str *name,
                         bool *is_quoted) {
  static const char WORD[] = "include";
  p = skip_spaces(p, end);
  if (p == end || *p != '#')
    return false;
  p = skip_spaces(p + 1, end);
  if ((size_t)(end - p) < sizeof WORD || memcmp(p, WORD, sizeof WORD - 1))
    return false;
  p = skip_spaces(p + sizeof WORD - 1, end);
  if (p == end || (*p != '"' && *p != '<'))
    return false;
  *is_quoted = *p == '"';
  const char *to = memchr(p + 1, *is_quoted ? '"' : '>', (size_t)(end - p - 1));
  *name = (pl_str){p + 1, to ? (size_t)(to - p - 1) : 0};
  return to != NULL;
}

static void scan(finder *f, const char *path, pl_str text);

static void add_file(finder *f, const char *path) {
  pl_bytes bytes;
  pl_gpu_sources *s = &f->found;
  if (has_path(s->paths, s->n, path) || s->n == MOST_FILES ||
      !pl_read_file(path, &bytes))
    return;
  PL_PUSH(f->arena, s->paths, s->n, f->cap, path);
  scan(f, path, (pl_str){bytes.data, bytes.size});
  free(bytes.data);
}

/* Adds what the lines of one file include. */
static void scan(finder *f, const char *path, pl_str text) {
  const char *from = directory_of(f, path), *end = text.p + text.n;
  for (const char *line = text.p; line < end;) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const char *stop = newline ? newline : end;
    pl_str name;
    bool is_quoted;
    if (read_include(line, stop, &name, &is_quoted)) {
      const char *header = find_header(f, from, name, is_quoted);
      if (header)
        add_file(f, header);
    }
    line = newline ? newline + 1 : end;
  }
}

/* The part of `a` that is a directory above `b` too. */
static const char *common_root(finder *f, const char *a, const char *b) {
  size_t last = 0;
  for (size_t i = 0;; i++) {
    bool ends = (!a[i] || a[i] == '/') && (!b[i] || b[i] == '/');
    if (ends)
      last = i;
    if (!a[i] || !b[i] || a[i] != b[i])
      break;
  }
  return pl_arena_cstr(f->arena, (pl_str){a, last});
}

static void find_root(finder *f) {
  pl_gpu_sources *s = &f->found;
  s->root = directory_of(f, s->paths[0]);
  for (size_t i = 1; i < s->n; i++)
    s->root = common_root(f, s->root, directory_of(f, s->paths[i]));
  for (size_t i = 0; i < s->n_include_dirs; i++)
    s->root = common_root(f, s->root, s->include_dirs[i]);
}

/* Directories from which nothing was taken are of no use elsewhere. */
static bool is_used(const pl_gpu_sources *s, const char *dir) {
  size_t n = strlen(dir);
  for (size_t i = 1; i < s->n; i++)
    if (strncmp(s->paths[i], dir, n) == 0 && s->paths[i][n] == '/')
      return true;
  return false;
}

static void drop_unused_dirs(pl_gpu_sources *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->n_include_dirs; i++)
    if (is_used(s, s->include_dirs[i]))
      s->include_dirs[n++] = s->include_dirs[i];
  s->n_include_dirs = n;
}

pl_gpu_sources pl_gpu_sources_find(pl_arena *arena, const char *path,
                                   pl_str text,
                                   const char *const *include_dirs,
                                   size_t n_include_dirs) {
  finder f = {.arena = arena};
  const char *real = real_path(&f, path);
  if (!real)
    real = pl_arena_printf(arena, "/%s", pl_base_name(path)).p;
  for (size_t i = 0; i < n_include_dirs; i++)
    add_include_dir(&f, include_dirs[i]);
  PL_PUSH(arena, f.found.paths, f.found.n, f.cap, real);
  scan(&f, f.found.paths[0], text);
  drop_unused_dirs(&f.found);
  find_root(&f);
  return f.found;
}

void pl_gpu_sources_join(pl_arena *arena, pl_gpu_sources *a, pl_gpu_sources *b) {
  finder f = {.arena = arena};
  a->root = b->root = common_root(&f, a->root, b->root);
}

const char *pl_gpu_sources_relative(const pl_gpu_sources *sources,
                                    const char *path) {
  size_t n = strlen(sources->root);
  if (n <= 1)
    return path[1] ? path + 1 : ".";
  return path[n] ? path + n + 1 : ".";
}
