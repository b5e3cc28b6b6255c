/* nvcc_child.h - runs nvcc: once and for all, or so that what it says can be kept
 * back. */
#ifndef PL_NVCC_CHILD_H
#define PL_NVCC_CHILD_H

#include <stdio.h>

/* Becomes the program that the first word names. Comes back where it cannot be
 * started; errno says why. The list ends with NULL. */
void pl_nvcc_become(char *const *words);

/* What a run has said. */
typedef struct pl_nvcc_said {
  FILE *out, *err; /* the same one, where both streams are one file */
} pl_nvcc_said;

/* Its exit code, as a shell has it; 127 where it could not be started. `said` NULL:
 * it speaks for itself. */
int pl_nvcc_run(char *const *words, pl_nvcc_said *said);

/* Prints what a run has said where it would have, and frees it. */
void pl_nvcc_pass_on(pl_nvcc_said *said);
void pl_nvcc_forget(pl_nvcc_said *said);

#endif
