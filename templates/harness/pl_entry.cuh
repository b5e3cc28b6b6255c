/* pl_entry.cuh - makes a kernel callable by the runner, whatever its signature.
 *
 * Stands in front of the user's text, where its macros do not reach; PL_ENTRY
 * stands behind it. All about the parameters comes from the kernel's type. */
#ifndef PL_ENTRY_CUH
#define PL_ENTRY_CUH

#include "pl_abi.h"
#include "pl_types.h"

#include <string.h>

struct __half;
struct __half2;
struct __nv_bfloat16;
struct __nv_bfloat162;

PL_KIND_AS(__half, PL_KIND_HALF, 1)
PL_KIND_AS(__half2, PL_KIND_HALF, 2)
PL_KIND_AS(__nv_bfloat16, PL_KIND_BFLOAT16, 1)
PL_KIND_AS(__nv_bfloat162, PL_KIND_BFLOAT16, 2)

/* Above 48 KB dynamic shared memory has to be asked for. */
static int pl_opt_in(const void *function, size_t smem) {
  if (smem <= 48 * 1024)
    return 0;
  return cudaFuncSetAttribute(
      function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)smem);
}

static int pl_launch_kernel(const void *function, const pl_shape *s,
                            void **args, void *stream) {
  int error = pl_opt_in(function, s->smem);
  if (error)
    return error;
  dim3 grid(s->grid[0], s->grid[1], s->grid[2]);
  dim3 block(s->block[0], s->block[1], s->block[2]);
  return cudaLaunchKernel(function, grid, block, args, s->smem,
                          (cudaStream_t)stream);
}

static void pl_get_name(const void *function, char *name, size_t room) {
  name[0] = 0;
#if CUDART_VERSION >= 12030
  const char *found = 0;
  if (cudaFuncGetName(&found, function) == cudaSuccess && found &&
      strlen(found) < room)
    strcpy(name, found);
#endif
  (void)function;
  (void)room;
}

static int pl_get_facts(const void *function, const pl_shape *s,
                        pl_facts *facts) {
  cudaFuncAttributes a;
  int error = cudaFuncGetAttributes(&a, function);
  if (error || (error = pl_opt_in(function, s->smem)))
    return error;
  facts->registers = a.numRegs;
  facts->local_bytes = (int)a.localSizeBytes;
  facts->static_smem = (int)a.sharedSizeBytes;
  facts->max_threads = a.maxThreadsPerBlock;
  pl_get_name(function, facts->name, sizeof facts->name);
  unsigned threads = s->block[0] * s->block[1] * s->block[2];
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &facts->blocks_per_sm, function, (int)threads, s->smem);
}

template <class... P>
static void pl_describe(pl_kernel *kernel, void (*function)(P...)) {
  static const pl_param params[sizeof...(P) + 1] = {
      pl_param_of<typename pl_bare<P>::type>::value..., {0, 0, 0, 0, 0}};
  kernel->function = (const void *)function;
  kernel->params = params;
  kernel->n_params = (int)sizeof...(P);
  kernel->launch = pl_launch_kernel;
  kernel->facts = pl_get_facts;
}

#define PL_ENTRY(pl_index, ...)                                                \
  extern "C" __attribute__((visibility("default"))) void                       \
      pl_kernel_##pl_index(pl_kernel *pl_k) {                                  \
    pl_describe(pl_k, __VA_ARGS__);                                            \
  }

#endif
