/* nvcc_place.h - the directory in which pipelined sources lie while nvcc reads them:
 * beside what it compiles, under a name that is the same each time, since nvcc names
 * internal symbols after the path; elsewhere where that cannot be. */
#ifndef PL_NVCC_PLACE_H
#define PL_NVCC_PLACE_H

#include "nvcc_line.h"

typedef struct pl_nvcc_place {
  char *dir; /* NULL: there is none */
  int held;  /* its lock; -1 */
} pl_nvcc_place;

/* A signal that is caught removes it. errno says why `dir` is NULL. */
pl_nvcc_place pl_nvcc_place_make(const pl_nvcc_line *line);
void pl_nvcc_place_remove(pl_nvcc_place *place);

#endif
