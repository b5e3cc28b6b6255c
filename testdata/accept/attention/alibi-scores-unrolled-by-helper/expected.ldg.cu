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
    __shared__ float qs_stage[2][16][16];
    __shared__ float ks_stage[2][16][17];
    const auto tx = threadIdx.x, ty = threadIdx.y;
    const int qt = (p.queries + 15) / 16, kt = (p.keys + 15) / 16;

    for (int work = blockIdx.x; work < p.heads * qt * kt; work += gridDim.x) {
        const int h = work / (qt * kt), qi = work / kt % qt * 16, ki = work % kt * 16;
        float dot = 0.f;
        // pipelinify: ldg, 2 stages, source cde054a8
        int d = 0, stage = 0;
        if (d < p.dim) {
            auto compute_tile = [&]() {
                auto &qs = qs_stage[stage];
                auto &ks = ks_stage[stage];
                unrolled<16>([&](int i) { dot += qs[ty][i] * ks[tx][i]; });
            };
            qs_stage[0][ty][tx] = qi + ty < p.queries ? q[(h * p.queries + qi + ty) * p.dim + d + tx] : 0.f;
            ks_stage[0][ty][tx] = ki + ty < p.keys ? k[(h * p.keys + ki + ty) * p.dim + d + tx] : 0.f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (d += 16; d < p.dim; d += 16) {
                float qs_next = qi + ty < p.queries ? q[(h * p.queries + qi + ty) * p.dim + d + tx] : 0.f;
                float ks_next = ki + ty < p.keys ? k[(h * p.keys + ki + ty) * p.dim + d + tx] : 0.f;
                compute_tile();
                stage ^= 1;
                qs_stage[stage][ty][tx] = qs_next;
                ks_stage[stage][ty][tx] = ks_next;
                __syncthreads();
            }
            compute_tile();
            __syncthreads();
        }
        if (qi + ty < p.queries && ki + tx < p.keys)
            s[(h * p.queries + qi + ty) * p.keys + ki + tx] = dot - p.slope * abs(int(ki + tx) - int(qi + ty));
    }
}
