#include <cuda_pipeline.h>

// The kernel is a template that runs what its argument says; the loop is handed the
// launch's parameters by reference, in a record of pointers and numbers.
struct Params {
    const float *__restrict__ q, *__restrict__ k, *__restrict__ v;
    float *__restrict__ o;
    int keys, stride;
    float scale;
};

template <int HEAD, int KEYS, bool CAUSAL> struct Attention {
    static constexpr int threads = KEYS;
    struct Shared {
        float k[KEYS][HEAD + 1];
        float v[KEYS][HEAD];
    };
    static __device__ void run(const Params &p, Shared &shared)
    {
        constexpr int stages = 4;
        __shared__ Shared shared_stage[stages];
        const int t = threadIdx.x, row = blockIdx.x * KEYS + t;
        float q[HEAD], o[HEAD] = {}, most = -1e30f, total = 0;
#pragma unroll
        for (int d = 0; d < HEAD; ++d)
            q[d] = p.q[row * p.stride + d] * p.scale;
        const int end = CAUSAL ? min(p.keys, (int)(blockIdx.x + 1) * KEYS) : p.keys;
        // pipelinify: cp.async, 4 stages, source 177b00d5
        int first_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (first_load < end) {
#pragma unroll
                for (int i = t; i < KEYS * HEAD; i += threads) {
                    const int r = i / HEAD, c = i % HEAD;
                    const bool there = first_load + r < p.keys;
                    __pipeline_memcpy_async(&shared_stage[load_stage].k[r][c], &p.k[(first_load + r) * p.stride + c],
                                            sizeof(float), there ? 0 : sizeof(float));
                    __pipeline_memcpy_async(&shared_stage[load_stage].v[r][c], &p.v[(first_load + r) * p.stride + c],
                                            sizeof(float), there ? 0 : sizeof(float));
                }
                first_load += KEYS;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
            copy_tile(load_stage);
        // Main loop: stages - 1 tiles are in flight while computing on one.
        for (int first = 0; first < end; first += KEYS) {
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            copy_tile(stage == 0 ? stages - 1 : stage - 1);
            float s[KEYS], now = most;
#pragma unroll
            for (int j = 0; j < KEYS; ++j) {
                s[j] = 0;
                for (int d = 0; d < HEAD; ++d)
                    s[j] += q[d] * shared_stage[stage].k[j][d];
                if ((CAUSAL && first + j > row) || first + j >= p.keys)
                    s[j] = -1e30f;
                now = fmaxf(now, s[j]);
            }
            const float less = __expf(most - now);
            total *= less;
            for (int d = 0; d < HEAD; ++d)
                o[d] *= less;
#pragma unroll
            for (int j = 0; j < KEYS; ++j) {
                const float w = __expf(s[j] - now);
                total += w;
                for (int d = 0; d < HEAD; ++d)
                    o[d] += w * shared_stage[stage].v[j][d];
            }
            most = now;
            stage = stage == stages - 1 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int d = 0; d < HEAD; ++d)
            p.o[row * p.stride + d] = o[d] / total;
    }
};

// pipelinify: launch entry<Attention<8, 32, true>>
//   sizes    n=32,64,96
//   target   n=4096
//   let      stride = 8
//   grid     n / 32
//   block    32
//   q:       in [n * stride] random
//   k:       in [n * stride] random
//   v:       in [n * stride] random
//   o:       out [n * stride]
//   keys:    n - 3
//   stride:  stride
//   scale:   0.35
// pipelinify: launch entry<Attention<8, 32, false>>
//   sizes    n=32,64,96
//   let      stride = 8
//   grid     n / 32
//   block    32
//   q:       in [n * stride] random
//   k:       in [n * stride] random
//   v:       in [n * stride] random
//   o:       out [n * stride]
//   keys:    n - 3
//   stride:  stride
//   scale:   0.35
template <typename K>
__global__ void __launch_bounds__(K::threads)
entry(const float *q, const float *k, const float *v, float *o, int keys, int stride, float scale)
{
    __shared__ typename K::Shared shared;
    const Params p = {q, k, v, o, keys, stride, scale};
    K::run(p, shared);
}

void launch(const float *q, const float *k, const float *v, float *o, int n, bool causal, cudaStream_t stream)
{
    if (causal)
        entry<Attention<8, 32, true>><<<n / 32, 32, 0, stream>>>(q, k, v, o, n, 8, 0.35f);
    else
        entry<Attention<8, 32, false>><<<n / 32, 32, 0, stream>>>(q, k, v, o, n, 8, 0.35f);
}
