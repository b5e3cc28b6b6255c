/* embedded.c - see embedded.h. */
#include "embedded.h"

#include <string.h>

const pl_embedded_file *pl_embedded_find(const char *name) {
  for (size_t i = 0; i < pl_embedded_count; i++)
    if (strcmp(pl_embedded_files[i].name, name) == 0)
      return &pl_embedded_files[i];
  return NULL;
}

static const char *after(const char *name, const char *directory) {
  size_t n = strlen(directory);
  return strncmp(name, directory, n) == 0 && name[n] == '/' ? name + n + 1
                                                            : NULL;
}

const char *pl_embedded_in(const pl_embedded_file *file, const char *part) {
  const char *own = after(file->name, part);
  return own ? own : after(file->name, "common");
}
