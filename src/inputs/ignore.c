/* ignore.c - see ignore.h. */
#define _GNU_SOURCE
#include "ignore.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "above.h"
#include "memory.h"
#include "output.h"
#include "text.h"

typedef struct rule {
  char *pattern; /* without `!` and the slashes at its ends */
  bool negated, directories, anchored;
  int line;
} rule;

/* The file of one directory. */
typedef struct rules {
  char *directory;
  char *path; /* NULL: there is none */
  rule *items;
  size_t count;
} rules;

struct pl_ignores {
  const char *name; /* of the files */
  rules **files; /* of every directory that was looked at */
  size_t count;
};

static pl_ignores *new_ignores(const char *name) {
  pl_ignores *ignores = pl_alloc(1, sizeof *ignores);
  ignores->name = name;
  return ignores;
}

pl_ignores *pl_ignores_new(void) { return new_ignores(".pipelinify-ignore"); }

pl_ignores *pl_git_ignores_new(void) { return new_ignores(".gitignore"); }

void pl_ignores_free(pl_ignores *ignores) {
  if (!ignores)
    return;
  for (size_t i = 0; i < ignores->count; i++) {
    rules *file = ignores->files[i];
    for (size_t k = 0; k < file->count; k++)
      free(file->items[k].pattern);
    free(file->items);
    free(file->directory);
    free(file->path);
    free(file);
  }
  free(ignores->files);
  free(ignores);
}

/* Blanks at the end do not count unless a backslash stands before them. */
static size_t trimmed(const char *line, size_t length) {
  while (length && line[length - 1] == ' ') {
    size_t slashes = 0;
    while (slashes + 1 < length && line[length - 2 - slashes] == '\\')
      slashes++;
    if (slashes % 2)
      break;
    length--;
  }
  return length;
}

static void add_rule(rules *file, const char *line, size_t length,
                     int number) {
  rule r = {.line = number};
  if (length && line[length - 1] == '\r')
    length--;
  length = trimmed(line, length);
  if (!length || *line == '#')
    return;
  r.negated = *line == '!';
  line += r.negated;
  length -= r.negated;
  r.directories = length && line[length - 1] == '/';
  length -= r.directories;
  r.anchored = memchr(line, '/', length);
  if (length && *line == '/') {
    line++;
    length--;
  }
  if (!length)
    return;
  r.pattern = pl_format("%.*s", (int)length, line);
  file->items = pl_resize(file->items, file->count + 1, sizeof r);
  file->items[file->count++] = r;
}

static void read_rules(rules *file, const char *name) {
  char *path =
      pl_format("%s/%s", file->directory[1] ? file->directory : "", name);
  pl_bytes bytes;
  if (pl_read_file(path, &bytes)) {
    const char *bom = "\xef\xbb\xbf", *line = bytes.data;
    int number = 1;
    line += pl_starts_with(line, bom) ? strlen(bom) : 0;
    for (; *line; number++) {
      size_t length = strcspn(line, "\n");
      add_rule(file, line, length, number);
      line += length + (line[length] == '\n');
    }
    free(bytes.data);
    file->path = path;
    return;
  }
  free(path);
}

static const rules *rules_of(pl_ignores *ignores, const char *directory,
                             size_t length) {
  for (size_t i = ignores->count; i-- > 0;) {
    const char *known = ignores->files[i]->directory;
    if (strncmp(known, directory, length) == 0 && !known[length])
      return ignores->files[i];
  }
  ignores->files = pl_resize(ignores->files, ignores->count + 1,
                             sizeof *ignores->files);
  rules *file = pl_alloc(1, sizeof *file);
  file->directory = pl_format("%.*s", (int)length, directory);
  read_rules(file, ignores->name);
  return ignores->files[ignores->count++] = file;
}

static bool matches_name(const char *pattern, size_t length,
                         const char *name, size_t name_length) {
  char *p = pl_format("%.*s", (int)length, pattern);
  char *n = pl_format("%.*s", (int)name_length, name);
  bool matches = fnmatch(p, n, 0) == 0;
  free(p);
  free(n);
  return matches;
}

/* Part by part; `**` stands for any number of parts, at the end for at least
 * one. */
static bool matches_path(const char *pattern, const char *path) {
  size_t p = strcspn(pattern, "/"), n = strcspn(path, "/");
  if (p == 2 && pattern[0] == '*' && pattern[1] == '*') {
    if (!pattern[2])
      return *path;
    return matches_path(pattern + 3, path) ||
           (path[n] && matches_path(pattern, path + n + 1));
  }
  if (!matches_name(pattern, p, path, n))
    return false;
  if (!pattern[p] || !path[n])
    return !pattern[p] && !path[n];
  return matches_path(pattern + p + 1, path + n + 1);
}

static bool applies(const rule *r, const char *relative, bool directory) {
  if (r->directories && !directory)
    return false;
  if (r->anchored)
    return matches_path(r->pattern, relative);
  const char *name = pl_base_name(relative);
  return matches_name(r->pattern, strlen(r->pattern), name, strlen(name));
}

/* The last line of one file that speaks of a path. */
static const rule *last_rule(const rules *file, const char *relative,
                             bool directory) {
  for (size_t i = file->count; i-- > 0;)
    if (applies(&file->items[i], relative, directory))
      return &file->items[i];
  return NULL;
}

/* What the nearest file that speaks of an absolute path says of it, none above
 * the first `root` bytes of it. */
static char *ignored_itself(pl_ignores *ignores, const char *path, size_t root,
                            bool directory) {
  for (size_t slash = strlen(path); slash-- > root;) {
    if (path[slash] != '/')
      continue;
    const rules *file = rules_of(ignores, path, slash ? slash : 1);
    const rule *r = last_rule(file, path + slash + 1, directory);
    if (r && r->negated)
      return NULL;
    if (r)
      return pl_format("%s/%s:%d", slash ? file->directory : "",
                       ignores->name, r->line);
  }
  return NULL;
}

/* Each directory on the way, from the top, then the path itself. */
static char *ignored_on_the_way(pl_ignores *ignores, char *path,
                                bool directory) {
  char *by = NULL;
  for (size_t i = 1; path[i] && !by; i++) {
    if (path[i] != '/')
      continue;
    path[i] = 0;
    by = ignored_itself(ignores, path, 0, true);
    path[i] = '/';
  }
  return by ? by : ignored_itself(ignores, path, 0, directory);
}

char *pl_ignored_by(pl_ignores *ignores, const char *path) {
  bool directory = pl_ends_with(path, "/");
  char *plain = pl_format("%.*s", (int)(strlen(path) - directory), path);
  char *above = pl_real_directory(plain);
  char *whole = pl_format("%s/%s", above[1] ? above : "", pl_base_name(plain));
  char *by = ignored_on_the_way(ignores, whole, directory);
  free(whole);
  free(above);
  free(plain);
  return by;
}

/* The bytes of the nearest directory above that holds .git; 0: none does. */
static size_t git_root(const char *path) {
  for (size_t slash = strlen(path); slash-- > 1;) {
    if (path[slash] != '/')
      continue;
    char *git = pl_format("%.*s/.git", (int)slash, path);
    bool there = access(git, F_OK) == 0;
    free(git);
    if (there)
      return slash;
  }
  return 0;
}

bool pl_git_ignores(pl_ignores *ignores, const char *path, bool directory) {
  char *above = pl_real_directory(path);
  char *whole = pl_format("%s/%s", above[1] ? above : "", pl_base_name(path));
  size_t root = git_root(whole);
  char *by = root ? ignored_itself(ignores, whole, root, directory) : NULL;
  free(whole);
  free(above);
  free(by);
  return by;
}

void pl_ignores_files(pl_ignores *ignores, const char *path, pl_words *files) {
  char *directory = pl_real_directory(path);
  for (size_t i = 0; i < ignores->count; i++) {
    const rules *file = ignores->files[i];
    const char *own = file->directory[1] ? file->directory : "";
    size_t length = strlen(own);
    bool above = strncmp(directory, own, length) == 0 &&
                 (!directory[length] || directory[length] == '/');
    if (file->path && above)
      pl_words_add(files, file->path);
  }
  free(directory);
}
