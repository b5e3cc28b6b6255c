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
    // pipelinify: ldg-single, 1 stage, source 5f751910
    int t = 0;
    if (t < n) {
        {
            constexpr int kBytes = 16, kVec = kBytes / sizeof(float);
            for (int i = threadIdx.x * kVec; i < N; i += Threads * kVec)
                *reinterpret_cast<float4 *>(&s[i]) = *reinterpret_cast<const float4 *>(&a[t + i]);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t += N; t < n; t += N) {
            float4 s_next[(N + Threads * (int)(16 / sizeof(float)) - 1) / (Threads * (int)(16 / sizeof(float)))];
            constexpr int kBytes = 16, kVec = kBytes / sizeof(float);
            #pragma unroll
            for (int slot = 0;
                 slot < (N + Threads * (int)(16 / sizeof(float)) - 1) / (Threads * (int)(16 / sizeof(float))); ++slot) {
                int i = threadIdx.x * kVec + slot * (Threads * kVec);
                if (i < N)
                    s_next[slot] = *reinterpret_cast<const float4 *>(&a[t + i]);
            }
            for (int i = 0; i < N; ++i)
                sum += s[i] * (i & 3);
            __syncthreads();
            #pragma unroll
            for (int slot = 0;
                 slot < (N + Threads * (int)(16 / sizeof(float)) - 1) / (Threads * (int)(16 / sizeof(float))); ++slot) {
                int i = threadIdx.x * kVec + slot * (Threads * kVec);
                if (i < N)
                    *reinterpret_cast<float4 *>(&s[i]) = s_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < N; ++i)
            sum += s[i] * (i & 3);
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

template <int Threads, int N>
__device__ auto load_fetch(const float *a)
{
    struct {
        float4 s_next[(N + Threads * 4 - 1) / (Threads * 4)];
    } next;
    constexpr int kVec = 4;
    #pragma unroll
    for (int slot = 0; slot < (N + Threads * 4 - 1) / (Threads * 4); ++slot) {
        int i = threadIdx.x * kVec + slot * (Threads * kVec);
        if (i < N)
            next.s_next[slot] = *reinterpret_cast<const float4 *>(&a[i]);
    }
    return next;
}

template <int Threads, int N, typename Registers>
__device__ void load_store(float *s, const Registers &next)
{
    constexpr int kVec = 4;
    #pragma unroll
    for (int slot = 0; slot < (N + Threads * 4 - 1) / (Threads * 4); ++slot) {
        int i = threadIdx.x * kVec + slot * (Threads * kVec);
        if (i < N)
            *reinterpret_cast<float4 *>(&s[i]) = next.s_next[slot];
    }
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
    // pipelinify: ldg-single, 1 stage, source 86cb2ef9
    int t = 0;
    if (t < n) {
        fetch<Threads, N>(s, a + t);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t += N; t < n; t += N) {
            auto s_next = load_fetch<Threads, N>(a + t);
            for (int i = 0; i < N; ++i)
                sum += s[i] * (i & 3);
            __syncthreads();
            load_store<Threads, N>(s, s_next);
            __syncthreads();
        }
        for (int i = 0; i < N; ++i)
            sum += s[i] * (i & 3);
    }
    o[threadIdx.x] = sum;
}

template __global__ void in_loop<32, 256>(const float *, float *, int);
template __global__ void in_helper<64, 256>(const float *, float *, int);
