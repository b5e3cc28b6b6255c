// Macros that fill tiles by `do { } while (0)`, one of which declares a name, and macros that stand
// for pragmas above the tile loop and above a loop that copies.
#include <cuda_pipeline.h>

#define T 64
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(n) PRAGMA(unroll n)
#define FILL(k)                                      \
    do {                                             \
        xs[threadIdx.x] = x[(k) * T + threadIdx.x];  \
        ys[threadIdx.x] = y[(k) * T + threadIdx.x];  \
    } while (0)
#define STRIP(dst, src, base)                        \
    do {                                             \
        for (int i = threadIdx.x; i < T; i += 32)    \
            dst[i] = src[(base) + i];                \
    } while (0)
#define SCALED(dst, src, base)                       \
    do {                                             \
        const int at = (base) + threadIdx.x;         \
        dst[threadIdx.x] = src[at] * 0.5f;           \
    } while (0)

// pipelinify: launch products
//   sizes n=0,1,2,5
//   grid  1
//   block 64
//   x:   in  [n * 64 + 64] range(-1, 1)
//   y:   in  [n * 64 + 64] range(-1, 1)
//   out: out [64]
//   n:   n
__global__ void products(const float *__restrict__ x, const float *__restrict__ y,
                         float *__restrict__ out, int n)
{
    __shared__ float xs_stage[2][T], ys_stage[2][T], zs_stage[2][T];
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 5282e90c
    int t = 0, stage = 0;
    if (t < n) {
        xs_stage[0][threadIdx.x] = x[(t) * T + threadIdx.x];
        ys_stage[0][threadIdx.x] = y[(t) * T + threadIdx.x];
        {
            const int at = (t * T) + threadIdx.x;
            zs_stage[0][threadIdx.x] = x[at] * 0.5f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        UNROLL(1)
        for (++t; t < n; ++t) {
            float zs_next;
            float xs_next = x[(t) * T + threadIdx.x];
            float ys_next = y[(t) * T + threadIdx.x];
            {
                const int at = (t * T) + threadIdx.x;
                zs_next = x[at];
            }
            for (int i = 0; i < T; ++i)
                sum += xs_stage[stage][i] * ys_stage[stage][(i + threadIdx.x) % T] -
                       zs_stage[stage][i];
            stage ^= 1;
            xs_stage[stage][threadIdx.x] = xs_next;
            ys_stage[stage][threadIdx.x] = ys_next;
            {
                zs_stage[stage][threadIdx.x] = zs_next * 0.5f;
            }
            __syncthreads();
        }
        for (int i = 0; i < T; ++i)
            sum += xs_stage[stage][i] * ys_stage[stage][(i + threadIdx.x) % T] - zs_stage[stage][i];
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch strips
//   sizes n=0,1,2,5
//   grid  1
//   block 32
//   x:   in  [n * 64 + 64] range(-1, 1)
//   y:   in  [n * 64 + 64] range(-1, 1)
//   out: out [32]
//   n:   n
__global__ void strips(const float *__restrict__ x, const float *__restrict__ y,
                       float *__restrict__ out, int n)
{
    constexpr int stages = 4;
    __shared__ __align__(16) float xs_stage[stages][T], ys_stage[stages][T];
    float sum = 0.0f;
    // pipelinify: cp.async, 4 stages, source b535c95d
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 32 && T % 4 == 0 && (size_t)x % 16 == 0;
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            if (joined) {
                for (int i = 4 * threadIdx.x; i < T; i += 4 * 32)
                    __pipeline_memcpy_async(&xs_stage[load_stage][i], &x[(t_load * T) + i], 16);
            } else {
                for (int i = threadIdx.x; i < T; i += 32)
                    __pipeline_memcpy_async(&xs_stage[load_stage][i], &x[(t_load * T) + i],
                                            sizeof(float));
            }
            UNROLL(2)
            for (int i = 0; i < 2; ++i)
                __pipeline_memcpy_async(&ys_stage[load_stage][i * 32 + threadIdx.x],
                                        &y[t_load * T + i * 32 + threadIdx.x], sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < T; ++i)
            sum += xs_stage[stage][i] * ys_stage[stage][(i + threadIdx.x) % T];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
