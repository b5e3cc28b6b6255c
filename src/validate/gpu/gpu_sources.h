/* gpu_sources.h - the files that a CUDA source needs beside itself.
 *
 * A bundle carries every header that the source includes, directly or through
 * another, except those of the toolkit and of the system. They keep their
 * places relative to each other. */
#ifndef PL_GPU_SOURCES_H
#define PL_GPU_SOURCES_H

#include "arena.h"

#include <stddef.h>

typedef struct pl_gpu_sources {
  const char *root;  /* the directory that all of them lie below */
  const char **paths; /* absolute; the source itself is the first */
  size_t n;
  const char **include_dirs; /* of the user's own, absolute, without doubles */
  size_t n_include_dirs;
} pl_gpu_sources;

/* Reads `text` as the file `path`. Headers are looked for as a compiler does:
 * beside the includer, then along `include_dirs`; what is nowhere is left out.
 * Toolkit and system directories are no include_dirs of the result. */
pl_gpu_sources pl_gpu_sources_find(pl_arena *arena, const char *path,
                                   pl_str text,
                                   const char *const *include_dirs,
                                   size_t n_include_dirs);

/* Lets both be seen from one root, so that their files keep their places relative to
 * each other. */
void pl_gpu_sources_join(pl_arena *arena, pl_gpu_sources *a, pl_gpu_sources *b);

/* `path` as seen from the root: "inc/tile.h"; "." for the root itself. */
const char *pl_gpu_sources_relative(const pl_gpu_sources *sources,
                                    const char *path);

#endif
