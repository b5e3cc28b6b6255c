/* walk.c - see walk.h. */
#define _GNU_SOURCE
#include "walk.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ignore.h"
#include "memory.h"
#include "output.h"
#include "text.h"

/* A directory and those above it, back to the one that was named. */
typedef struct level {
  const struct level *above;
  dev_t device;
  ino_t inode;
} level;

typedef struct walker {
  const pl_walk *walk;
  pl_inputs *inputs;
  size_t root; /* bytes of the paths before what --out-dir mirrors */
  struct stat out_dir;
  bool has_out_dir;
  pl_ignores *git;
} walker;

static pl_input *add(walker *w, const char *path) {
  pl_inputs *inputs = w->inputs;
  if (inputs->count == inputs->room) {
    inputs->room = inputs->room ? inputs->room * 2 : 64;
    inputs->items =
        pl_resize(inputs->items, inputs->room, sizeof *inputs->items);
  }
  pl_input *input = &inputs->items[inputs->count++];
  *input = (pl_input){.path = pl_format("%s", path),
                      .below = pl_format("%s", path + w->root),
                      .found = w->inputs->many};
  return input;
}

static void add_trouble(walker *w, const char *path, const char *trouble,
                        bool harmless) {
  pl_input *input = add(w, path);
  input->trouble = pl_format("%s", trouble);
  input->harmless = harmless;
}

static bool is_excluded(const walker *w, const char *path) {
  for (size_t i = 0; i < w->walk->nexcludes; i++) {
    const char *glob = w->walk->excludes[i];
    if (fnmatch(glob, path, FNM_PATHNAME) == 0 ||
        fnmatch(glob, path + w->root, FNM_PATHNAME) == 0 ||
        (!strchr(glob, '/') && fnmatch(glob, pl_base_name(path), 0) == 0))
      return true;
  }
  return false;
}

static bool is_source(const char *name) {
  return pl_ends_with(name, ".cu") || pl_ends_with(name, ".cuh");
}

/* kernel_pipe.cu is what became of kernel.cu. */
static bool is_output(const walker *w, const char *name) {
  const char *suffix = w->walk->suffix, *dot = strrchr(name, '.');
  size_t length = strlen(suffix), stem = (size_t)(dot - name);
  return stem > length && strncmp(dot - length, suffix, length) == 0;
}

static const char *kind_word(mode_t mode) {
  if (S_ISFIFO(mode))
    return "a FIFO, not a file";
  if (S_ISSOCK(mode))
    return "a socket, not a file";
  return "a device, not a file";
}

static void walk_directory(walker *w, const char *path, const level *above);

static bool is_loop(const level *above, const struct stat *info) {
  for (; above; above = above->above)
    if (above->device == info->st_dev && above->inode == info->st_ino)
      return true;
  return false;
}

static void enter(walker *w, const char *path, const struct stat *info,
                  const level *above) {
  level here = {above, info->st_dev, info->st_ino};
  if (w->has_out_dir && info->st_dev == w->out_dir.st_dev &&
      info->st_ino == w->out_dir.st_ino)
    return;
  if (is_loop(above, info))
    add_trouble(w, path, "a symbolic link back up, not followed", true);
  else
    walk_directory(w, path, &here);
}

/* What a directory holds; names beginning with a dot and what git ignores do not
 * count. */
static void visit(walker *w, const char *path, const level *above) {
  struct stat info;
  const char *name = pl_base_name(path);
  bool source = is_source(name), there = stat(path, &info) == 0;
  int error = errno;
  bool directory = there && S_ISDIR(info.st_mode);
  if (is_excluded(w, path) ||
      ((source || directory) && pl_git_ignores(w->git, path, directory)))
    return;
  if (directory)
    enter(w, path, &info, above);
  else if (!source || is_output(w, name))
    return;
  else if (!there)
    add_trouble(w, path, strerror(error), false);
  else if (S_ISREG(info.st_mode))
    add(w, path);
  else
    add_trouble(w, path, kind_word(info.st_mode), false);
}

/* Regular files of other names need no look. */
static int worth_a_look(const struct dirent *entry) {
  return entry->d_name[0] != '.' &&
         (entry->d_type != DT_REG || is_source(entry->d_name));
}

static int by_bytes(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static void walk_directory(walker *w, const char *path, const level *above) {
  struct dirent **entries;
  int count = scandir(path, &entries, worth_a_look, by_bytes);
  if (count < 0) {
    add_trouble(w, path, strerror(errno), false);
    return;
  }
  const char *slash = pl_ends_with(path, "/") ? "" : "/";
  for (int i = 0; i < count; i++) {
    char *inner = pl_format("%s%s%s", path, slash, entries[i]->d_name);
    visit(w, inner, above);
    free(inner);
    free(entries[i]);
  }
  free(entries);
}

/* Below an absolute directory, what is under it is mirrored. */
static void add_directory(walker *w, const char *path,
                          const struct stat *info) {
  const size_t before = w->inputs->count;
  w->inputs->many = true;
  if (path[0] == '/')
    w->root = strlen(path) + !pl_ends_with(path, "/");
  enter(w, path, info, NULL);
  w->root = 0;
  if (w->inputs->count == before)
    add_trouble(w, path, "no .cu or .cuh file found in it", true);
}

static void add_named(walker *w, const char *path) {
  struct stat info;
  bool standard_input = strcmp(path, "-") == 0;
  bool there = !standard_input && stat(path, &info) == 0;
  bool pipe = there && !S_ISREG(info.st_mode);
  bool several =
      w->inputs->many || w->walk->nnames > 1 || w->walk->files_only;
  if (there && S_ISDIR(info.st_mode))
    add_directory(w, path, &info);
  else if (there && is_excluded(w, path))
    return;
  else if (pl_ends_with(path, ".hip"))
    add_trouble(w, path, "HIP, and only CUDA is read", false);
  else if (pipe && several)
    add_trouble(w, path, kind_word(info.st_mode), false);
  else
    add(w, path)->once = standard_input || pipe;
}

/* A line, or up to a NUL where the list has any. */
static void add_listed(walker *w, pl_bytes list) {
  char end = memchr(list.data, 0, list.size) ? 0 : '\n';
  for (char *name = list.data; name < list.data + list.size;) {
    size_t left = (size_t)(list.data + list.size - name);
    char *stop = memchr(name, end, left);
    char *next = stop ? stop + 1 : name + left;
    if (stop)
      *stop = 0;
    size_t length = strlen(name);
    if (end && length && name[length - 1] == '\r')
      name[length - 1] = 0;
    if (*name)
      add_named(w, name);
    name = next;
  }
}

static bool add_list(walker *w) {
  pl_bytes list;
  if (!w->walk->list)
    return true;
  if (!pl_read_file(w->walk->list, &list))
    return false;
  w->inputs->many = true;
  add_listed(w, list);
  free(list.data);
  return true;
}

typedef struct place {
  char *real;
  size_t index;
} place;

static int by_place(const void *a, const void *b) {
  const place *p = a, *q = b;
  int order = strcmp(p->real, q->real);
  return order ? order : (p->index > q->index) - (p->index < q->index);
}

void pl_input_free(pl_input *input) {
  free(input->path);
  free(input->below);
  free(input->trouble);
  free(input->held.data);
  *input = (pl_input){0};
}

static place *real_places(const pl_inputs *inputs) {
  place *places = pl_alloc(inputs->count + 1, sizeof *places);
  for (size_t i = 0; i < inputs->count; i++) {
    const char *path = inputs->items[i].path;
    bool file = !inputs->items[i].trouble && strcmp(path, "-") != 0;
    char *real = file ? realpath(path, NULL) : NULL;
    places[i] = (place){real ? real : pl_format("%s", path), i};
  }
  qsort(places, inputs->count, sizeof *places, by_place);
  return places;
}

static void close_gaps(pl_inputs *inputs) {
  size_t kept = 0;
  for (size_t i = 0; i < inputs->count; i++)
    if (inputs->items[i].path)
      inputs->items[kept++] = inputs->items[i];
  inputs->count = kept;
}

/* The first of the names of one file stays. */
static void drop_duplicates(pl_inputs *inputs) {
  place *places = real_places(inputs);
  for (size_t i = 1; i < inputs->count; i++)
    if (strcmp(places[i - 1].real, places[i].real) == 0)
      pl_input_free(&inputs->items[places[i].index]);
  for (size_t i = 0; i < inputs->count; i++)
    free(places[i].real);
  free(places);
  close_gaps(inputs);
}

bool pl_walk_inputs(const pl_walk *walk, pl_inputs *inputs) {
  walker w = {.walk = walk, .inputs = inputs, .git = pl_git_ignores_new()};
  *inputs = (pl_inputs){0};
  w.has_out_dir = walk->out_dir && stat(walk->out_dir, &w.out_dir) == 0;
  for (size_t i = 0; i < walk->nnames; i++)
    add_named(&w, walk->names[i]);
  bool listed = add_list(&w);
  int error = errno;
  pl_ignores_free(w.git);
  errno = error;
  if (!listed)
    return false;
  drop_duplicates(inputs);
  return true;
}

bool pl_inputs_hold(const pl_inputs *inputs, const char *path) {
  struct stat at, input;
  if (stat(path, &at) != 0 || !S_ISREG(at.st_mode))
    return false;
  for (size_t i = 0; i < inputs->count; i++)
    if (stat(inputs->items[i].path, &input) == 0 &&
        input.st_dev == at.st_dev && input.st_ino == at.st_ino)
      return true;
  return false;
}

void pl_inputs_free(pl_inputs *inputs) {
  for (size_t i = 0; i < inputs->count; i++)
    pl_input_free(&inputs->items[i]);
  free(inputs->items);
  *inputs = (pl_inputs){0};
}
