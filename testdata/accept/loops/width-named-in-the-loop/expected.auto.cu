// The width of a copy is a constant that only the loop, or the helper, names.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    constexpr int stages = 8;
    __shared__ __align__(16) float s_stage[stages][N];
    float sum = 0;
    // pipelinify: cp.async, 8 stages, source 5f751910
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            constexpr int kBytes = 16, kVec = kBytes / sizeof(float);
            for (int i = threadIdx.x * kVec; i < N; i += Threads * kVec)
                __pipeline_memcpy_async(reinterpret_cast<float4 *>(&s_stage[load_stage][i]),
                                        reinterpret_cast<const float4 *>(&a[t_load + i]), sizeof(float4));
            t_load += N;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; t += N) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < N; ++i)
            sum += s_stage[stage][i] * (i & 3);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
__device__ void load_async(float *s, const float *a)
{
    constexpr int kVec = 4;
    for (int i = threadIdx.x * kVec; i < N; i += Threads * kVec)
        __pipeline_memcpy_async(reinterpret_cast<float4 *>(&s[i]), reinterpret_cast<const float4 *>(&a[i]),
                                sizeof(float4));
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
    constexpr int stages = 8;
    __shared__ __align__(16) float s_stage[stages][N];
    float sum = 0;
    // pipelinify: cp.async, 8 stages, source 86cb2ef9
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            load_async<Threads, N>(s_stage[load_stage], a + t_load);
            t_load += N;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; t += N) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < N; ++i)
            sum += s_stage[stage][i] * (i & 3);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    o[threadIdx.x] = sum;
}

template __global__ void in_loop<32, 256>(const float *, float *, int);
template __global__ void in_helper<64, 256>(const float *, float *, int);
