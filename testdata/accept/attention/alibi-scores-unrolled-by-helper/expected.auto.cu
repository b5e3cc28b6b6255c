#include <cuda_pipeline.h>

// Attention scores with a linear bias; blocks persist over heads and tiles. What is
// unrolled is handed to a helper as a lambda, by way of another one.
template <int Begin, int End, class F>
__device__ __forceinline__ void unrolled_range(F &&f)
{
#pragma unroll
    for (int i = Begin; i < End; ++i)
        f(i);
}

template <int N, class F>
__device__ __forceinline__ void unrolled(F &&f)
{
    unrolled_range<0, N>(f);
}

struct Params { int heads, queries, keys, dim; float slope; };

// pipelinify: launch alibi_scores
//   sizes  heads=1,2 queries=16,20 keys=16,33 dim=0,16,32,48,64,80,96
//   target heads=32 queries=1024 keys=1024 dim=128
//   grid   3
//   block  16, 16
//   q: in [heads * queries * dim]
//   k: in [heads * keys * dim]
//   s: out [heads * queries * keys]
//   heads: heads
//   queries: queries
//   keys: keys
//   dim: dim
//   slope: 0.125f
__global__ void alibi_scores(const float *__restrict__ q, const float *__restrict__ k, float *__restrict__ s, int heads,
                             int queries, int keys, int dim, float slope)
{
    const Params p{heads, queries, keys, dim, slope};
    constexpr int stages = 8;
    __shared__ float qs_stage[stages][16][16];
    __shared__ float ks_stage[stages][16][17];
    const auto tx = threadIdx.x, ty = threadIdx.y;
    const int qt = (p.queries + 15) / 16, kt = (p.keys + 15) / 16;

    for (int work = blockIdx.x; work < p.heads * qt * kt; work += gridDim.x) {
        const int h = work / (qt * kt), qi = work / kt % qt * 16, ki = work % kt * 16;
        float dot = 0.f;
        // pipelinify: cp.async, 8 stages, source cde054a8
        int d_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (d_load < p.dim) {
                __pipeline_memcpy_async(&qs_stage[load_stage][ty][tx],
                                        &q[(h * p.queries + qi + ty) * p.dim + d_load + tx], sizeof(float),
                                        (qi + ty < p.queries) ? 0 : sizeof(float));
                __pipeline_memcpy_async(&ks_stage[load_stage][ty][tx], &k[(h * p.keys + ki + ty) * p.dim + d_load + tx],
                                        sizeof(float), (ki + ty < p.keys) ? 0 : sizeof(float));
                d_load += 16;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
            copy_tile(load_stage);
        // Main loop: stages - 1 tiles are in flight while computing on one.
        for (int d = 0; d < p.dim; d += 16) {
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            copy_tile(stage == 0 ? stages - 1 : stage - 1);
            auto &qs = qs_stage[stage];
            auto &ks = ks_stage[stage];
            unrolled<16>([&](int i) { dot += qs[ty][i] * ks[tx][i]; });
            stage = stage == stages - 1 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
        if (qi + ty < p.queries && ki + tx < p.keys)
            s[(h * p.queries + qi + ty) * p.keys + ki + tx] = dot - p.slope * abs(int(ki + tx) - int(qi + ty));
    }
}
