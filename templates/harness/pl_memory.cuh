/* pl_memory.cuh - buffers on the GPU, with poisoned zones around them. */
#ifndef PL_MEMORY_CUH
#define PL_MEMORY_CUH

#include "pl_device.cuh"
#include "pl_plan.h"

#include <cuda_runtime.h>

enum { GUARD = 4096, ALIGNMENT = 256 };

/* An error that ends the work of this process. */
struct Failure {
  std::string verdict, detail;
};

static void require(int error, const char *what) {
  if (error == cudaSuccess)
    return;
  throw Failure{"harness-error",
                std::string(what) + ": " +
                    cudaGetErrorString((cudaError_t)error)};
}

static unsigned blocks_for(size_t n) {
  size_t blocks = (n + 255) / 256;
  return (unsigned)(blocks < 1 ? 1 : blocks > 8192 ? 8192 : blocks);
}

static size_t round_up(size_t n, size_t step) {
  return (n + step - 1) / step * step;
}

/* Memory that is handed out from one allocation, or, where `tight`, piece by
 * piece, so that a tool that watches memory knows the exact ends. */
struct Pool {
  bool tight = false;
  char *base = NULL;
  size_t size = 0, used = 0;
  std::vector<char *> pieces;

  void reset() {
    used = 0;
    for (char *p : pieces)
      cudaFree(p);
    pieces.clear();
  }
  void reserve(size_t bytes) {
    reset();
    if (tight || bytes <= size)
      return;
    cudaFree(base);
    base = NULL;
    size = 0;
    require(cudaMalloc((void **)&base, bytes), "cudaMalloc");
    size = bytes;
  }
  char *take(size_t bytes) {
    char *p = NULL;
    if (tight) {
      require(cudaMalloc((void **)&p, bytes ? bytes : 1), "cudaMalloc");
      pieces.push_back(p);
      return p;
    }
    p = base + used;
    used += round_up(bytes, ALIGNMENT);
    if (used > size)
      throw Failure{"harness-error", "the pool is too small"};
    return p;
  }
};

/* What the kernel works on, and the zones before and behind it. */
struct Guarded {
  char *whole, *data;
  size_t bytes, whole_bytes;
};

static size_t guarded_size(size_t bytes) {
  return 2 * GUARD + round_up(bytes, ALIGNMENT);
}

static Guarded take_guarded(Pool *pool, size_t bytes) {
  if (pool->tight) {
    char *p = pool->take(bytes);
    return {p, p, bytes, bytes};
  }
  size_t whole = guarded_size(bytes);
  char *p = pool->take(whole);
  return {p, p + GUARD, bytes, whole};
}

static void poison(char *p, size_t n, u64 seed, cudaStream_t stream) {
  if (n)
    poison_bytes<<<blocks_for(n), 256, 0, stream>>>(p, n, seed);
}

static void poison_guards(const Guarded &g, u64 seed, cudaStream_t stream) {
  size_t head = (size_t)(g.data - g.whole);
  poison(g.whole, head, seed, stream);
  poison(g.data + g.bytes, g.whole_bytes - head - g.bytes, seed + 1, stream);
}

struct Comparer {
  Difference *on_gpu = NULL;
  cudaStream_t stream = NULL;

  void clear() {
    Difference none = {0, ~0ull};
    if (!on_gpu)
      require(cudaMalloc((void **)&on_gpu, sizeof none), "cudaMalloc");
    require(cudaMemcpyAsync(on_gpu, &none, sizeof none, cudaMemcpyHostToDevice,
                            stream),
            "copy");
  }
  Difference read() {
    Difference found;
    require(cudaGetLastError(), "comparison");
    require(cudaMemcpyAsync(&found, on_gpu, sizeof found,
                            cudaMemcpyDeviceToHost, stream),
            "copy");
    require(cudaStreamSynchronize(stream), "comparison");
    return found;
  }
  Difference poisoned(const char *p, size_t n, u64 seed) {
    clear();
    if (n)
      check_poison<<<blocks_for(n), 256, 0, stream>>>(p, n, seed, on_gpu);
    return read();
  }
  Difference elements(const char *a, const char *b, size_t n, unsigned size) {
    clear();
    if (n && size % 4 == 0)
      compare_elements<<<blocks_for(n), 256, 0, stream>>>(
          (const u32 *)a, (const u32 *)b, n, size / 4, on_gpu);
    else if (n)
      compare_elements<<<blocks_for(n), 256, 0, stream>>>(a, b, n, size,
                                                          on_gpu);
    return read();
  }
};

/* The sign and distance of a byte outside a buffer, "" where all is well. */
static std::string broken_guard(Comparer *compare, const Guarded &g,
                                u64 seed) {
  size_t head = (size_t)(g.data - g.whole);
  size_t tail = g.whole_bytes - head - g.bytes;
  Difference before = compare->poisoned(g.whole, head, seed);
  if (before.count)
    return std::to_string(head - before.first) + " bytes before its begin";
  Difference behind = compare->poisoned(g.data + g.bytes, tail, seed + 1);
  if (behind.count)
    return std::to_string(behind.first) + " bytes behind its end";
  return "";
}

#endif
