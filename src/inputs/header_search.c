/* header_search.c - see header_search.h. */
#define _GNU_SOURCE
#include "header_search.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

enum {
  MOST_ENTRIES = 20000, /* of directories, that are looked at */
  MOST_LEVELS = 3,      /* above the working directory, as ".." */
  MOST_DEPTH = 8        /* below a directory */
};

typedef struct walk {
  pl_header_search *search;
  bool *found;   /* a name each */
  char **flags;  /* the directories that have been taken */
  size_t nflags;
  char *here;    /* the working directory */
  const char *done; /* the part of the tree that was looked at before */
  int entries;
} walk;

/* As the user would write it: from the working directory, or one a few levels above;
 * free with free. */
static char *shown(const walk *w, const char *path) {
  size_t n = w->here ? strlen(w->here) : 0;
  char *up = pl_format("%s", "");
  for (int level = 0; level <= MOST_LEVELS && n; level++) {
    bool below = strncmp(path, w->here, n) == 0 && (path[n] == '/' || !path[n]);
    const char *rest = path[n] ? path + n + 1 : "";
    char *text = below ? pl_format("%s%s", up, rest) : pl_format("%s../", up);
    free(up);
    up = text;
    size_t length = strlen(text);
    if (below && length && text[length - 1] == '/')
      text[length - 1] = '\0';
    if (below && length)
      return text;
    if (below) {
      free(text);
      return pl_format("%s", ".");
    }
    while (n && w->here[n - 1] != '/')
      n--;
    n -= n > 0;
  }
  free(up);
  return pl_format("%s", path);
}

static bool is_file(const char *directory, const char *name) {
  struct stat at;
  char *path = pl_format("%s/%s", directory, name);
  bool is = stat(path, &at) == 0 && S_ISREG(at.st_mode);
  free(path);
  return is;
}

static void take_directory(walk *w, const char *path) {
  for (size_t i = 0; i < w->nflags; i++)
    if (strcmp(w->flags[i], path) == 0)
      return;
  w->flags[w->nflags++] = pl_format("%s", path);
}

/* An entry that a header's name begins with. */
static void look_at(walk *w, const char *directory, const char *entry) {
  size_t n = strlen(entry);
  for (size_t i = 0; i < w->search->count; i++) {
    const char *name = w->search->names[i];
    if (w->found[i] || strncmp(name, entry, n) != 0 ||
        (name[n] && name[n] != '/') || !is_file(directory, name))
      continue;
    w->found[i] = true;
    w->search->found++;
    take_directory(w, directory);
  }
}

static bool is_over(const walk *w) {
  return w->search->found == w->search->count || w->entries > MOST_ENTRIES;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_directory(const char *path, const struct dirent *entry) {
  struct stat at;
  if (entry->d_type != DT_UNKNOWN)
    return entry->d_type == DT_DIR;
  return lstat(path, &at) == 0 && S_ISDIR(at.st_mode);
}

typedef struct paths {
  char **items;
  size_t n, room;
} paths;

static void add_path(paths *list, char *path) {
  if (list->n == list->room) {
    list->room = list->room ? 2 * list->room : 16;
    list->items = pl_resize(list->items, list->room, sizeof *list->items);
  }
  list->items[list->n++] = path;
}

/* Looks at the entries of a directory; the directories below it are added in the
 * order of their names. */
static void read_directory(walk *w, const char *path, paths *below) {
  DIR *directory = opendir(path);
  size_t first = below->n;
  if (!directory)
    return;
  for (struct dirent *e; (e = readdir(directory)) && !is_over(w);) {
    if (e->d_name[0] == '.')
      continue;
    w->entries++;
    look_at(w, path, e->d_name);
    char *child = pl_format("%s%s%s", path, strcmp(path, "/") ? "/" : "", e->d_name);
    bool again = w->done && strcmp(child, w->done) == 0;
    if (!again && is_directory(child, e))
      add_path(below, child);
    else
      free(child);
  }
  closedir(directory);
  if (below->n > first)
    qsort(below->items + first, below->n - first, sizeof *below->items, by_name);
}

/* A directory and those below it, the nearest ones first. */
static void look_below(walk *w, const char *top) {
  paths level = {0};
  add_path(&level, pl_format("%s", top));
  for (int depth = 0; depth < MOST_DEPTH && level.n; depth++) {
    paths next = {0};
    for (size_t i = 0; i < level.n; i++) {
      if (!is_over(w))
        read_directory(w, level.items[i], &next);
      free(level.items[i]);
    }
    free(level.items);
    level = next;
  }
  for (size_t i = 0; i < level.n; i++)
    free(level.items[i]);
  free(level.items);
}

static bool is_repository(const char *path) {
  char *git = pl_format("%s/.git", path);
  bool is = access(git, F_OK) == 0;
  free(git);
  return is;
}

/* Cuts a path off to the directory above; false: it has none but the root. */
static bool go_up(char *path) {
  char *slash = strrchr(path, '/');
  if (!slash || slash == path)
    return false;
  *slash = '\0';
  return true;
}

/* The repository that a directory is in; NULL: none near. Free with free. */
static char *repository_of(const char *directory) {
  char *at = pl_format("%s", directory);
  for (int level = 0; level <= MOST_DEPTH; level++) {
    if (is_repository(at))
      return at;
    if (!go_up(at))
      break;
  }
  free(at);
  return NULL;
}

/* How far the search goes up: to the repository's root, the directory that was named,
 * the working directory, or what lies beside the source's own. Free with free. */
static char *top_of(const walk *w, const char *directory) {
  char *root = repository_of(directory);
  if (!root && w->search->tree)
    root = realpath(w->search->tree, NULL);
  if (root)
    return root;
  size_t n = w->here ? strlen(w->here) : 0;
  if (n && strncmp(directory, w->here, n) == 0 && directory[n] == '/')
    return pl_format("%s", w->here);
  root = pl_format("%s", directory);
  go_up(root);
  return root;
}

/* The source's directory, and one after the other those above it. */
static void look_around(walk *w, char *at) {
  char *top = top_of(w, at), *done = NULL;
  for (bool on = true; on && !is_over(w);) {
    w->done = done;
    look_below(w, at);
    free(done);
    done = pl_format("%s", at);
    on = strcmp(at, top) != 0 && go_up(at);
  }
  free(done);
  free(top);
}

/* The directory of the source, in full; free with free. */
static char *directory_of(const char *source) {
  const char *slash = strrchr(source, '/');
  char *written = slash ? pl_format("%.*s/", (int)(slash - source), source)
                        : pl_format("%s", ".");
  char *full = realpath(written, NULL);
  free(written);
  return full;
}

void pl_header_search_run(pl_header_search *search) {
  walk w = {.search = search, .here = getcwd(NULL, 0)};
  char *at = directory_of(search->source), *joined = pl_format("%s", "");
  w.found = pl_alloc(search->count, sizeof *w.found);
  w.flags = pl_alloc(search->count, sizeof *w.flags);
  search->found = 0;
  if (at)
    look_around(&w, at);
  for (size_t i = 0; i < w.nflags; i++) {
    char *directory = shown(&w, w.flags[i]);
    char *longer = pl_format("%s -I%s", joined, directory);
    free(directory);
    free(joined);
    free(w.flags[i]);
    joined = longer;
  }
  search->flags = joined;
  free(w.flags);
  free(w.found);
  free(w.here);
  free(at);
}
