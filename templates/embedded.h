/* embedded.h - the files of templates/ and docs/reasons/, and the hook of
 * tools/, compiled in. */
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

/* The name that a file has in the directory of a part, "emu" or "harness"; the
 * parts have a copy each of what is in common/. NULL: it is of another part. */
const char *pl_embedded_in(const pl_embedded_file *file, const char *part);

#endif
