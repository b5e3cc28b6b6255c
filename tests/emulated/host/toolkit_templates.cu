#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
#include <cuda/std/array>
#include <cub/cub.cuh>
#include <cuda/barrier>
#include <cuda/atomic>
#include <cuda_fp8.h>
#include <sm_61_intrinsics.h>
// pipelinify: launch sums
//   sizes n=0,16,24,80
//   grid 1
//   block 16
//   a: in [n + 1]
//   o: out [16]
//   n: n
#define TILE 16
__global__ void sums(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[TILE];
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        s[threadIdx.x] = t + threadIdx.x < n ? a[t + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += s[i] * (i + 1);
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}
static_assert(cuda::std::is_same<cuda::std::uint32_t, unsigned>::value, "");
__global__ void block_sum(const float *a, float *o) { typedef cub::BlockReduce<float, 64> R; __shared__ typename R::TempStorage t; float s = R(t).Sum(a[threadIdx.x]); if (!threadIdx.x) *o = s; }
static void device_sum(float *a, float *o, int n) { void *tmp = nullptr; size_t bytes = 0; cub::DeviceReduce::Sum(tmp, bytes, a, o, n); cudaMalloc(&tmp, bytes); cub::DeviceReduce::Sum(tmp, bytes, a, o, n); }
int main()
{
    float *a, *o; cudaMalloc(&a, 400); cudaMalloc(&o, 64);
    device_sum(a, o, 80);
    sums<<<1, TILE>>>(a, o, 80);
    block_sum<<<1, 64>>>(a, o);
}
