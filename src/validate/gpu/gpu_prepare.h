/* gpu_prepare.h - `validate --prepare DIR`: rewrites each file to every form
 * that applies, and packs all of it for a machine with a GPU.
 *
 * Of two cp.async forms that keep as many tiles in flight on a multiprocessor,
 * at the target sizes, the one with fewer stages goes in. */
#ifndef PL_GPU_PREPARE_H
#define PL_GPU_PREPARE_H

#include "environment.h"
#include "options.h"
#include "run.h"

typedef struct pl_gpu_packing {
  const char *dir;
  bool anew;      /* what it holds of other files goes */
  bool here;      /* no word of where to run it */
  bool one_form;  /* the one that the command line asks for, not all */
  size_t kernels; /* out: pairs of a launch and a form that went in */
} pl_gpu_packing;

/* The worst exit code of all files: 2 for an error, 4 for a file whose kernels
 * nobody said how to launch. */
int pl_gpu_prepare(const pl_command *command, const pl_environment *env,
                   pl_streams streams, pl_gpu_packing *packing);

#endif
