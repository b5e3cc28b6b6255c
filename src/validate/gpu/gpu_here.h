/* gpu_here.h - proofs and times on the GPU of this machine.
 *
 * A bundle in the cache directory, one for each set of names on a command line,
 * and its script, started at once. What was built and found stays there and
 * holds as long as nothing has changed, so that work that was stopped goes on. */
#ifndef PL_GPU_HERE_H
#define PL_GPU_HERE_H

#include "environment.h"
#include "gpu_prepare.h"
#include "options.h"
#include "run.h"

/* Why nothing can run here, "no CUDA device" or "no nvcc"; NULL: it can. */
const char *pl_gpu_missing(const pl_command *command);

typedef struct pl_gpu_work {
  const pl_command *named; /* the command line, before directories are read */
  const pl_command *command;
  bool one_form;            /* the one of the command line, not all of them */
  const char *const *steps; /* words for the script; the last is NULL */
  /* Packs what is run, as pl_gpu_prepare does, which does it where this is NULL;
   * `what` tells its directory from that of other work on the same files. */
  int (*pack)(void *context, pl_gpu_packing *packing);
  void *context;
  const char *what;
} pl_gpu_work;

/* The directory that holds the results (free with free); NULL where nothing was
 * packed or the script failed. *code is 2 or 4 for files that could not be
 * packed, 2 where the script failed; what was proven, the results tell. */
char *pl_gpu_here(const pl_gpu_work *work, const pl_environment *env,
                  pl_streams streams, int *code);

#endif
