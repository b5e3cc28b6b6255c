#include <cuda_fp16.h>
#include <cstdint>

template <int Stages> struct PipeState {
  int index = 0;
  uint32_t phase = 0;
  __device__ PipeState &operator++() {
    if (++index == Stages) {
      index = 0;
      phase ^= 1u;
    }
    return *this;
  }
};

template <int Bytes> __device__ inline void cp_async(void *smem, const void *gmem) {
  static_assert(Bytes == 16 || Bytes == 8 || Bytes == 4, "");
  unsigned s = static_cast<unsigned>(__cvta_generic_to_shared(smem));
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(s), "l"(gmem), "n"(Bytes) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(s), "l"(gmem), "n"(Bytes) : "memory");
}
__device__ inline void cp_async_fence() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ inline void cp_async_wait() {
  if constexpr (N == 0)
    asm volatile("cp.async.wait_all;" ::: "memory");
  else
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

template <int Stages, int TileN>
__global__ void __launch_bounds__(TileN / 8) hdot(const __half *__restrict__ x, const __half *__restrict__ w,
                                                  float *__restrict__ out, int len) {
  __shared__ __align__(16) __half xs[Stages][TileN];
  __shared__ __align__(16) __half ws[Stages][TileN];
  PipeState<Stages> write, read;
  int todo = len / TileN;
  int left = todo;
  const __half *px = x + (size_t)blockIdx.x * len + threadIdx.x * 8;
  const __half *pw = w + threadIdx.x * 8;
  for (int i = 0; i < Stages - 1; ++i) {
    if (left > 0) {
      cp_async<16>(&xs[write.index][threadIdx.x * 8], px);
      cp_async<16>(&ws[write.index][threadIdx.x * 8], pw);
      px += TileN;
      pw += TileN;
      --left;
    }
    ++write;
    cp_async_fence();
  }
  float acc = 0.f;
  while (todo-- > 0) {
    cp_async_wait<Stages - 2>();
    __syncthreads();
    for (int j = 0; j < 8; ++j) {
      int at = j * (TileN / 8) + threadIdx.x;
      acc += __half2float(xs[read.index][at]) * __half2float(ws[read.index][at]);
    }
    ++read;
    if (left > 0) {
      cp_async<16>(&xs[write.index][threadIdx.x * 8], px);
      cp_async<16>(&ws[write.index][threadIdx.x * 8], pw);
      px += TileN;
      pw += TileN;
      --left;
    }
    ++write;
    cp_async_fence();
  }
  atomicAdd(out + blockIdx.x, acc);
}

template __global__ void hdot<2, 1024>(const __half *, const __half *, float *, int);
template __global__ void hdot<4, 1024>(const __half *, const __half *, float *, int);
