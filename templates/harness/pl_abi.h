/* pl_abi.h - what a kernel's shared object and the runner tell each other.
 *
 * Each form of a kernel (the original, every rewritten one) is a shared object
 * of its own, with its own copy of the CUDA runtime. The runner loads it and
 * asks for pl_kernel_N, N being the number of the launch description. */
#ifndef PL_ABI_H
#define PL_ABI_H

#include "pl_param.h"

#include <stddef.h>

struct pl_shape {
  unsigned grid[3], block[3];
  size_t smem; /* dynamic, bytes a block */
};

struct pl_facts {
  int registers, local_bytes, static_smem, max_threads, blocks_per_sm;
  char name[1024]; /* mangled; empty where the runtime does not tell it */
};

struct pl_kernel {
  const void *function;
  const pl_param *params;
  int n_params;
  /* Both give a CUDA error code; 0 is success. */
  int (*launch)(const void *function, const pl_shape *shape, void **args,
                void *stream);
  int (*facts)(const void *function, const pl_shape *shape, pl_facts *facts);
};

#endif
