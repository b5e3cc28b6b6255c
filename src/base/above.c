/* above.c - see above.h. */
#define _GNU_SOURCE
#include "above.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

struct pl_above {
  const char *name, *other;
  char *directory, *found; /* of the last source */
};

pl_above *pl_above_new(const char *name, const char *other) {
  pl_above *above = pl_alloc(1, sizeof *above);
  above->name = name;
  above->other = other;
  return above;
}

void pl_above_free(pl_above *above) {
  if (!above)
    return;
  free(above->directory);
  free(above->found);
  free(above);
}

char *pl_real_directory(const char *source) {
  int length = (int)(pl_base_name(source) - source);
  char *directory = pl_format("%.*s.", length, source);
  char *real = realpath(directory, NULL);
  if (real) {
    free(directory);
    return real;
  }
  return directory;
}

/* NULL: it is not there. */
static char *in_directory(const char *directory, const char *name) {
  char *path =
      pl_format("%s/%s", strcmp(directory, "/") ? directory : "", name);
  if (access(path, F_OK) == 0)
    return path;
  free(path);
  return NULL;
}

static char *search(const pl_above *above, const char *directory) {
  char *at = pl_format("%s", directory);
  for (;;) {
    char *path = in_directory(at, above->name);
    char *slash = strrchr(at, '/');
    if (!path && above->other)
      path = in_directory(at, above->other);
    if (path || !slash || !slash[1]) {
      free(at);
      return path;
    }
    slash[slash == at] = 0;
  }
}

char *pl_above_find(pl_above *above, const char *source) {
  char *directory = pl_real_directory(source);
  if (!above->directory || strcmp(above->directory, directory) != 0) {
    free(above->directory);
    free(above->found);
    above->directory = directory;
    above->found = search(above, directory);
  } else
    free(directory);
  return above->found ? pl_format("%s", above->found) : NULL;
}
