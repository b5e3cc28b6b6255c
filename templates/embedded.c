/* embedded.c - see embedded.h. */
#include "embedded.h"

#include <string.h>

const pl_embedded_file *pl_embedded_find(const char *name) {
  for (size_t i = 0; i < pl_embedded_count; i++)
    if (strcmp(pl_embedded_files[i].name, name) == 0)
      return &pl_embedded_files[i];
  return NULL;
}
