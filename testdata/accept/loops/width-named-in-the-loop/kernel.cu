// The width of a copy is a constant that only the loop, or the helper, names.
#include <cuda_runtime.h>

// pipelinify: launch in_loop<32, 256>
//   sizes  n=0,256,512,1024,1792
//   target n=1048576
//   grid   1
//   block  32
//   a: in  [n]
//   o: out [32]
//   n: n
template <int Threads, int N>
__global__ __launch_bounds__(Threads) void in_loop(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ __align__(16) float s[N];
    float sum = 0;
    for (int t = 0; t < n; t += N) {
        constexpr int kBytes = 16, kVec = kBytes / sizeof(float);
        for (int i = threadIdx.x * kVec; i < N; i += Threads * kVec)
            *reinterpret_cast<float4 *>(&s[i]) = *reinterpret_cast<const float4 *>(&a[t + i]);
        __syncthreads();
        for (int i = 0; i < N; ++i)
            sum += s[i] * (i & 3);
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

template <int Threads, int N>
__device__ void fetch(float *s, const float *a)
{
    constexpr int kVec = 4;
    for (int i = threadIdx.x * kVec; i < N; i += Threads * kVec)
        *reinterpret_cast<float4 *>(&s[i]) = *reinterpret_cast<const float4 *>(&a[i]);
}

// pipelinify: launch in_helper<64, 256>
//   sizes  n=0,256,512,1024,1792
//   target n=524288
//   block  64
//   a: in  [n]
//   o: out [64]
//   n: n
template <int Threads, int N>
__global__ __launch_bounds__(Threads) void in_helper(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ __align__(16) float s[N];
    float sum = 0;
    for (int t = 0; t < n; t += N) {
        fetch<Threads, N>(s, a + t);
        __syncthreads();
        for (int i = 0; i < N; ++i)
            sum += s[i] * (i & 3);
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

template __global__ void in_loop<32, 256>(const float *, float *, int);
template __global__ void in_helper<64, 256>(const float *, float *, int);
