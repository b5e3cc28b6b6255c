/* gpu_prepare.h - `validate --prepare DIR`: rewrites each file to every form
 * that applies, and packs all of it for a machine with a GPU. */
#ifndef PL_GPU_PREPARE_H
#define PL_GPU_PREPARE_H

#include "environment.h"
#include "options.h"
#include "run.h"

/* The worst exit code of all files: 2 for an error, 4 for a file whose kernels
 * nobody said how to launch. */
int pl_gpu_prepare(const pl_command *command, const pl_environment *env,
                   pl_streams streams);

#endif
