/* embedded.h - the files of templates/ and docs/reasons/, compiled in. */
#ifndef PL_EMBEDDED_H
#define PL_EMBEDDED_H

#include <stddef.h>

typedef struct pl_embedded_file {
  const char *name; /* relative to templates/; pages as "reasons/PL1001.md" */
  const char *data; /* NUL after `size` bytes */
  size_t size;
} pl_embedded_file;

extern const pl_embedded_file pl_embedded_files[];
extern const size_t pl_embedded_count;

/* NULL where there is no file of that name. */
const pl_embedded_file *pl_embedded_find(const char *name);

#endif
