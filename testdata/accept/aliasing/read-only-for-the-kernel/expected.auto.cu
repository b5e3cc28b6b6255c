// What __ldg reads, and constants of the file, no store of the kernel changes: sums are stored
// while later tiles are loaded, and no pointer is __restrict__.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// Running sums of samples, the tiles by way of the read-only cache.
//
// pipelinify: launch running_sums
//   sizes  n=0,1,2,3,4,7
//   target n=40000
//   grid   2
//   block  64
//   in:    in  [n * 128] range(-1, 1)
//   out:   out [n * 128]
//   n:     n
__global__ void __launch_bounds__(64) running_sums(const float *in, float *out, int n)
{
    constexpr int stages = 8;
    __shared__ float part_stage[stages][64];
    const int tx = threadIdx.x;
    float sum = 0.f;
    // pipelinify: cp.async, 8 stages, source 800261c9
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            const size_t at = ((size_t)t_load * gridDim.x + blockIdx.x) * 64 + tx;
            __pipeline_memcpy_async(&part_stage[load_stage][tx], in + at, sizeof(float));
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
        const size_t at = ((size_t)t * gridDim.x + blockIdx.x) * 64 + tx;
        for (int j = 0; j <= tx; ++j)
            sum += part_stage[stage][j];
        out[at] = sum;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
}

// The same of two rows, whose addresses are taken.
//
// pipelinify: launch crossed_rows
//   sizes  n=0,1,2,3,4,7
//   target n=40000
//   block  64
//   a:     in  [n * 64] range(-1, 1)
//   b:     in  [n * 64] range(-1, 1)
//   out:   out [n * 64]
//   n:     n
__global__ void __launch_bounds__(64) crossed_rows(const float *a, const float *b, float *out, int n)
{
    constexpr int stages = 8;
    __shared__ float as_stage[stages][64], bs_stage[stages][64];
    const int tx = threadIdx.x;
    // pipelinify: cp.async, 8 stages, source 187c2ec5
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&as_stage[load_stage][tx], &a[t_load * 64 + tx], sizeof(float));
            __pipeline_memcpy_async(&bs_stage[load_stage][63 - tx], &b[t_load * 64 + tx], sizeof(float));
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
        float sum = 0.f;
        for (int j = 0; j < 64; ++j)
            sum += as_stage[stage][j] * bs_stage[stage][j ^ tx];
        out[t * 64 + tx] = sum;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
}

__device__ const float window[4][64] = {{0.5f, 0.25f, 0.125f}, {1.f, 2.f}, {0.75f}};

// Rows of a table of the file, in turn.
//
// pipelinify: launch windowed
//   sizes  n=0,1,2,3,4,7
//   target n=40000
//   block  64
//   out:   out [n * 64]
//   n:     n
__global__ void __launch_bounds__(64) windowed(float *out, int n)
{
    constexpr int stages = 8;
    __shared__ float row_stage[stages][64];
    const int tx = threadIdx.x;
    float sum = 1.f;
    // pipelinify: cp.async, 8 stages, source 2f32ba8a
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&row_stage[load_stage][tx], &window[t_load % 4][tx], sizeof(float));
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
        for (int j = 0; j < 64; ++j)
            sum = sum * 0.5f + row_stage[stage][j ^ tx];
        out[t * 64 + tx] = sum;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
}
