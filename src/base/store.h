/* store.h - blobs in a directory that several processes share, and that keeps
 * within a size.
 *
 *   DIR/CACHEDIR.TAG, DIR/.gitignore
 *   DIR/v1/ab/cdef....   a blob whose name is abcdef...
 *
 * A blob appears whole or not at all, and carries its own check sum: what is
 * cut short or changed is no blob. Nothing here is worth an error: what cannot
 * be read is not there, what cannot be written is left. */
#ifndef PL_STORE_H
#define PL_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "digest.h"
#include "output.h"

typedef struct pl_store {
  const char *directory;
  int64_t limit; /* bytes; a 256th of it for each directory in v1 */
} pl_store;

/* Makes the directory. False: errno says why it cannot be written to. */
bool pl_store_open(const pl_store *store);

/* A blob; false: there is none that is good. Free its data with free. A good
 * one is marked as used. */
bool pl_store_get(const pl_store *store, const pl_digest *name,
                  pl_bytes *bytes);

/* A path beside the blob's for what is to become one. What is left there is
 * removed some day. Free with free; NULL: there is no such place. */
char *pl_store_temporary(const pl_store *store, const pl_digest *name);

/* Puts a blob in place of what is there, then removes what was not used for
 * longest where there is too much. */
void pl_store_put(const pl_store *store, const pl_digest *name,
                  pl_bytes bytes);

#endif
