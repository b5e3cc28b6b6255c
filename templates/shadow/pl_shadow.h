/* pl_shadow.h - at the head of a program whose launches are shadowed.
 *
 * Every launch of this translation unit, spelt <<<>>> or not, ends in a call of
 * the CUDA runtime. Those calls get another symbol's name here, so that they
 * arrive in this file; the runtime's own is reached by a second declaration. */
#ifndef PL_SHADOW_H
#define PL_SHADOW_H
#pragma GCC system_header

#if defined(__clang__) || !defined(__GNUC__)
#error "shadow validation needs g++ as the host compiler"
#endif

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "pl_shadow_abi.h"

#define PL_SHADOW_TEXT_(x) #x
#define PL_SHADOW_TEXT(x) PL_SHADOW_TEXT_(x)

/* Where a launch stands: `<<<pl_shadow_at(__LINE__) = grid, ...>>>`. Assignment
 * binds less than anything that a grid can be made of. */
static thread_local int pl_shadow_line;

struct pl_shadow_at {
  __host__ __device__ explicit pl_shadow_at(int line) {
#ifndef __CUDA_ARCH__
    pl_shadow_line = line;
#endif
    (void)line;
  }
  template <typename grid_type>
  __host__ __device__ grid_type operator=(grid_type grid) const {
    return grid;
  }
  __host__ __device__ dim3 operator=(dim3 grid) const { return grid; }
};

static int pl_shadow_captures;

static void *pl_shadow_symbol(const char *name) {
  static void *library;
  static bool tried;
  if (!tried) {
    char path[4096];
    const char *asked = getenv("PIPELINIFY_SHADOW");
    tried = true;
    snprintf(path, sizeof path, "%s/pl_shadow.so", asked ? asked : "");
    library = asked && *asked ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library)
      fprintf(stderr, "pipelinify: nothing is shadowed: %s\n",
              asked && *asked ? dlerror() : "PIPELINIFY_SHADOW is not set");
  }
  return library ? dlsym(library, name) : NULL;
}

static cudaError_t pl_shadow_dispatch(const pl_shadow_call *call) {
  static pl_shadow_run_function *run =
      (pl_shadow_run_function *)pl_shadow_symbol("pl_shadow_run");
  return (cudaError_t)(run ? run(call) : call->run(call));
}

static void pl_shadow_note(const void *function, const char *reason) {
  static pl_shadow_note_function *note =
      (pl_shadow_note_function *)pl_shadow_symbol("pl_shadow_note");
  cudaFunction_t found = NULL;
  if (note && cudaGetFuncBySymbol(&found, function) == cudaSuccess)
    note(found, 0, reason);
}

static pl_shadow_call pl_shadow_make(dim3 grid, dim3 block, void **arguments,
                                     size_t shared, cudaStream_t stream) {
  pl_shadow_call call = {};
  call.version = PL_SHADOW_VERSION;
  call.line = pl_shadow_line;
  call.captures = pl_shadow_captures;
  call.grid[0] = grid.x, call.grid[1] = grid.y, call.grid[2] = grid.z;
  call.block[0] = block.x, call.block[1] = block.y, call.block[2] = block.z;
  call.shared = shared;
  call.stream = stream;
  call.arguments = arguments;
  pl_shadow_line = 0;
  return call;
}

static dim3 pl_shadow_dim3(const unsigned *size) {
  return dim3(size[0], size[1], size[2]);
}

/* The CUfunction behind a kernel's address. What goes wrong stays unseen: the
 * launch itself will meet and report it. */
static void *pl_shadow_function(const void *function) {
  cudaFunction_t found = NULL;
  cudaError_t before = cudaPeekAtLastError();
  if (before != cudaSuccess)
    return NULL;
  if (cudaGetFuncBySymbol(&found, function) != cudaSuccess)
    cudaGetLastError();
  return found;
}

/* One that was made of a kernel's address, with the runtime's own name. */
struct pl_shadow_addressed {
  pl_shadow_call call; /* first: `run` gets its address */
  const void *address;
  const cudaLaunchConfig_t *config;
};

extern "C" {

/* ---- launches by address: nvcc before 13, and the program's own ---------- */

cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t,
                             cudaStream_t) __asm__("pl_shadow_plain");
cudaError_t pl_shadow_real_plain(const void *, dim3, dim3, void **, size_t,
                                 cudaStream_t)
    __asm__(PL_SHADOW_TEXT(cudaLaunchKernel));

static int pl_shadow_run_plain(const pl_shadow_call *call) {
  return pl_shadow_real_plain(
      ((const pl_shadow_addressed *)call)->address, pl_shadow_dim3(call->grid),
      pl_shadow_dim3(call->block), call->arguments, call->shared,
      (cudaStream_t)call->stream);
}

static __attribute__((used)) cudaError_t
pl_shadow_plain(const void *function, dim3 grid, dim3 block, void **arguments,
                size_t shared, cudaStream_t stream) __asm__("pl_shadow_plain");
static cudaError_t pl_shadow_plain(const void *function, dim3 grid, dim3 block,
                                   void **arguments, size_t shared,
                                   cudaStream_t stream) {
  pl_shadow_addressed a = {
      pl_shadow_make(grid, block, arguments, shared, stream), function, NULL};
  a.call.function = pl_shadow_function(function);
  a.call.run = pl_shadow_run_plain;
  return pl_shadow_dispatch(&a.call);
}

cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **,
                                        size_t, cudaStream_t)
    __asm__("pl_shadow_cooperative");
cudaError_t pl_shadow_real_cooperative(const void *, dim3, dim3, void **,
                                       size_t, cudaStream_t)
    __asm__(PL_SHADOW_TEXT(cudaLaunchCooperativeKernel));

static int pl_shadow_run_cooperative(const pl_shadow_call *call) {
  return pl_shadow_real_cooperative(
      ((const pl_shadow_addressed *)call)->address, pl_shadow_dim3(call->grid),
      pl_shadow_dim3(call->block), call->arguments, call->shared,
      (cudaStream_t)call->stream);
}

static __attribute__((used)) cudaError_t
pl_shadow_cooperative(const void *function, dim3 grid, dim3 block,
                      void **arguments, size_t shared, cudaStream_t stream)
    __asm__("pl_shadow_cooperative");
static cudaError_t pl_shadow_cooperative(const void *function, dim3 grid,
                                         dim3 block, void **arguments,
                                         size_t shared, cudaStream_t stream) {
  pl_shadow_addressed a = {
      pl_shadow_make(grid, block, arguments, shared, stream), function, NULL};
  a.call.function = pl_shadow_function(function);
  a.call.how = PL_SHADOW_COOPERATIVE;
  a.call.run = pl_shadow_run_cooperative;
  return pl_shadow_dispatch(&a.call);
}

#if CUDART_VERSION >= 11080
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *,
                                void **) __asm__("pl_shadow_extended");
cudaError_t pl_shadow_real_extended(const cudaLaunchConfig_t *, const void *,
                                    void **)
    __asm__(PL_SHADOW_TEXT(cudaLaunchKernelExC));

static int pl_shadow_run_extended(const pl_shadow_call *call) {
  const pl_shadow_addressed *a = (const pl_shadow_addressed *)call;
  return pl_shadow_real_extended(a->config, a->address, call->arguments);
}

static __attribute__((used)) cudaError_t
pl_shadow_extended(const cudaLaunchConfig_t *config, const void *function,
                   void **arguments) __asm__("pl_shadow_extended");
static cudaError_t pl_shadow_extended(const cudaLaunchConfig_t *config,
                                      const void *function, void **arguments) {
  if (!config)
    return pl_shadow_real_extended(config, function, arguments);
  pl_shadow_addressed a = {
      pl_shadow_make(config->gridDim, config->blockDim, arguments,
                     config->dynamicSmemBytes, config->stream),
      function, config};
  a.call.function = pl_shadow_function(function);
  a.call.how = PL_SHADOW_EXTENDED;
  a.call.attributes = config->attrs;
  a.call.n_attributes = config->numAttrs;
  a.call.run = pl_shadow_run_extended;
  return pl_shadow_dispatch(&a.call);
}
#endif

/* ---- launches by handle: what nvcc 13 makes of <<<>>> -------------------- */

#if CUDART_VERSION >= 12010
#ifdef __CUDART_API_PER_THREAD_DEFAULT_STREAM
#define PL_SHADOW_BY_HANDLE __cudaLaunchKernel_ptsz
#else
#define PL_SHADOW_BY_HANDLE __cudaLaunchKernel
#endif
cudaError_t PL_SHADOW_BY_HANDLE(cudaKernel_t, dim3, dim3, void **, size_t,
                                cudaStream_t) __asm__("pl_shadow_handle");
/* Weak: runtimes before 13 have none, and nothing there calls it. */
cudaError_t pl_shadow_real_handle(cudaKernel_t, dim3, dim3, void **, size_t,
                                  cudaStream_t)
    __asm__(PL_SHADOW_TEXT(PL_SHADOW_BY_HANDLE)) __attribute__((weak));

static int pl_shadow_run_handle(const pl_shadow_call *call) {
  return pl_shadow_real_handle(
      (cudaKernel_t)call->function, pl_shadow_dim3(call->grid),
      pl_shadow_dim3(call->block), call->arguments, call->shared,
      (cudaStream_t)call->stream);
}

static __attribute__((used)) cudaError_t
pl_shadow_handle(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                 size_t shared, cudaStream_t stream)
    __asm__("pl_shadow_handle");
static cudaError_t pl_shadow_handle(cudaKernel_t kernel, dim3 grid, dim3 block,
                                    void **arguments, size_t shared,
                                    cudaStream_t stream) {
  pl_shadow_call call = pl_shadow_make(grid, block, arguments, shared, stream);
  call.function = kernel;
  call.is_kernel = 1;
  call.run = pl_shadow_run_handle;
  return pl_shadow_dispatch(&call);
}
#endif

/* ---- the end of a context ------------------------------------------------- */

cudaError_t cudaDeviceReset(void) __asm__("pl_shadow_reset");
cudaError_t pl_shadow_real_reset(void) __asm__("cudaDeviceReset");
static __attribute__((used)) cudaError_t pl_shadow_reset(void)
    __asm__("pl_shadow_reset");
static cudaError_t pl_shadow_reset(void) {
  pl_shadow_forget_function *forget =
      (pl_shadow_forget_function *)pl_shadow_symbol("pl_shadow_forget");
  if (forget)
    forget();
  return pl_shadow_real_reset();
}

/* ---- graphs --------------------------------------------------------------- */

cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode)
    __asm__("pl_shadow_begin");
cudaError_t pl_shadow_real_begin(cudaStream_t, cudaStreamCaptureMode)
    __asm__(PL_SHADOW_TEXT(cudaStreamBeginCapture));
static __attribute__((used)) cudaError_t
pl_shadow_begin(cudaStream_t stream, cudaStreamCaptureMode mode)
    __asm__("pl_shadow_begin");
static cudaError_t pl_shadow_begin(cudaStream_t stream,
                                   cudaStreamCaptureMode mode) {
  cudaError_t error = pl_shadow_real_begin(stream, mode);
  if (error == cudaSuccess)
    __atomic_fetch_add(&pl_shadow_captures, 1, __ATOMIC_SEQ_CST);
  return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *)
    __asm__("pl_shadow_end");
cudaError_t pl_shadow_real_end(cudaStream_t, cudaGraph_t *)
    __asm__(PL_SHADOW_TEXT(cudaStreamEndCapture));
static __attribute__((used)) cudaError_t
pl_shadow_end(cudaStream_t stream, cudaGraph_t *graph)
    __asm__("pl_shadow_end");
static cudaError_t pl_shadow_end(cudaStream_t stream, cudaGraph_t *graph) {
  if (__atomic_load_n(&pl_shadow_captures, __ATOMIC_SEQ_CST) > 0)
    __atomic_fetch_sub(&pl_shadow_captures, 1, __ATOMIC_SEQ_CST);
  return pl_shadow_real_end(stream, graph);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *, cudaGraph_t,
                                   const cudaGraphNode_t *, size_t,
                                   const cudaKernelNodeParams *)
    __asm__("pl_shadow_node");
cudaError_t pl_shadow_real_node(cudaGraphNode_t *, cudaGraph_t,
                                const cudaGraphNode_t *, size_t,
                                const cudaKernelNodeParams *)
    __asm__("cudaGraphAddKernelNode");
static __attribute__((used)) cudaError_t
pl_shadow_node(cudaGraphNode_t *node, cudaGraph_t graph,
               const cudaGraphNode_t *after, size_t n,
               const cudaKernelNodeParams *what) __asm__("pl_shadow_node");
static cudaError_t pl_shadow_node(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t n,
                                  const cudaKernelNodeParams *what) {
  if (what)
    pl_shadow_note(what->func, "it is a node of a graph");
  return pl_shadow_real_node(node, graph, after, n, what);
}

} /* extern "C" */

#endif
