// Moments of the rows of a tile, with range-based loops over the tile, over its
// rows, over the thread's own arrays and over a list.
#include <initializer_list>
#include <cuda_pipeline.h>

// pipelinify: launch row_moments<8>
//   sizes n=0,1,2,5
//   target n=4096
//   grid 2
//   block 64
//   a: in [n * 2 * 64]
//   out: out [2 * 64 * 3]
//   n: n
template <int W>
__global__ void row_moments(const float *__restrict__ a, float *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ float s_stage[stages][64 / W][W];
    const int steps[] = {1, 3};
    float sum[3] = {};
    float top = 0.0f;
    // pipelinify: cp.async, 3 stages, source 1578666a
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x / W][threadIdx.x % W],
                                    &a[(k_load * 2 + blockIdx.x) * 64 + threadIdx.x],
                                    sizeof(float));
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
        auto &s = s_stage[stage];
        for (const auto &row : s)
            for (float v : row)
                top = fmaxf(top, v * k);
        for (const float &v : s[threadIdx.x / W])
            sum[0] += v;
        for (int i : {1, 2})
            for (const int step : steps)
                sum[i] += s[threadIdx.x / W][(threadIdx.x + i * step) % W];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    for (float &v : sum)
        v += top;
    for (int i = 0; i < 3; ++i)
        out[(blockIdx.x * 64 + threadIdx.x) * 3 + i] = sum[i];
}

template __global__ void row_moments<8>(const float *, float *, int);
