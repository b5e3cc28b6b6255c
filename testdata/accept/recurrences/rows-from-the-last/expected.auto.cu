// Banded products whose panels are filled from the last row up, as the factorisation
// that hands them on has left them.
#include <cuda_pipeline.h>

#define PANEL 32
#define THREADS 64

template <int ROWS>
__device__ __forceinline__ void fill_rows(float (*to)[THREADS], const float *from, int t)
{
    for (int q = ROWS; q-- > 0;)
        to[q][t] = from[q * THREADS + t];
}

template <int ROWS>
__device__ __forceinline__ void fill_rows_async(float (*to)[THREADS], const float *from, int t)
{
    for (int q = ROWS; q-- > 0;)
        __pipeline_memcpy_async(&to[q][t], &from[q * THREADS + t], sizeof(float));
}

// pipelinify: launch banded_product
//   sizes n=0,32,64,96,160 m=-20,0,20,500
//   target n=65536 m=64
//   block 64
//   a: in [n * 16 + 16]
//   w: in [n + 1]
//   o: inout [64]
//   n: n
//   m: m
__global__ void banded_product(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ o, int n, int m)
{
    constexpr int stages = 8;
    __shared__ float rows_stage[stages][8][THREADS];
    __shared__ float weights_stage[stages][PANEL];
    __shared__ float margin_stage[stages][64];
    const int t = threadIdx.x;
    float s = 0;
    // pipelinify: cp.async, 8 stages, source 2369a764
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < n) {
            fill_rows_async<8>(rows_stage[load_stage], a + k0_load * 16, t);
            for (int i = PANEL - 1 - t; i >= 0; i -= THREADS)
                __pipeline_memcpy_async(&weights_stage[load_stage][i], &w[k0_load + i], sizeof(float));
            int left = 63 - t;
            while (0 <= left) {
                __pipeline_memcpy_async(&margin_stage[load_stage][left], &a[k0_load * 16 + left], sizeof(float),
                                        (left < m) ? 0 : sizeof(float));
                left = left - 16;
            }
            k0_load += PANEL;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < n; k0 += PANEL) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < PANEL; ++i)
            s += rows_stage[stage][i % 8][(t + i) % THREADS] * weights_stage[stage][i] + margin_stage[stage][(t * i) % 64];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    o[t] = s;
}

// pipelinify: launch banded_pairs
//   sizes n=0,1,2,3,5 v=-5,3,8
//   target n=2048 v=-5
//   block 64
//   a: in [n * 512 + 1]
//   w: in [n * 512 + 1]
//   o: inout [64]
//   n: n
//   v: v
__global__ void banded_pairs(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ o, int n, int v)
{
    constexpr int stages = 8;
    __shared__ float upper_stage[stages][8][THREADS];
    __shared__ float lower_stage[stages][8][THREADS];
    const int t = threadIdx.x;
    float s = 0;
    // pipelinify: cp.async, 8 stages, source c96471c3
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            for (int q = 7, r = 0; q >= 0; --q, ++r)
                __pipeline_memcpy_async(&upper_stage[load_stage][r][t], &a[(k_load * 8 + q) * THREADS + t], sizeof(float));
            for (int q = 7; q > -1; q -= 1) {
                if (q == v) {
                    lower_stage[load_stage][q][t] = 1.f;
                    continue;
                }
                __pipeline_memcpy_async(&lower_stage[load_stage][q][t], &w[(k_load * 8 + q) * THREADS + t], sizeof(float));
            }
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int r = 0; r < 8; ++r)
            s += upper_stage[stage][r][(t + r) % THREADS] * lower_stage[stage][r][(t * 3 + r) % THREADS];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    o[t] = s;
}
