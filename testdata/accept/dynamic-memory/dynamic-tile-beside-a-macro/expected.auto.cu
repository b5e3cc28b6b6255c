// A kernel whose loads are a macro, which is looked at in another text, beside one whose launch
// is edited.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#define LOAD_TILE(t, p, k, n) \
    t[threadIdx.x] = (k) + threadIdx.x < (n) ? p[(k) + threadIdx.x] : 0.f; \
    __syncthreads();
// pipelinify: launch scale
//   sizes    n=0,1,63,64,65,200,256
//   grid     4
//   block    64
//   smem     256
//   a:       in  [n + 1]
//   out:     out [4 * 64]
//   n:       n
__global__ void scale(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    // 4 stages of 256 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given != 4 * 256 + 1)
        __trap();
    auto &tile_stage = reinterpret_cast<float (&)[4][64]>(tile);
    float sum = 0.f;
    // pipelinify: cp.async, 4 stages, source 01c4c9c0
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            auto &tile = tile_stage[load_stage];
            __pipeline_memcpy_async(&tile[threadIdx.x], &a[k_load + threadIdx.x], sizeof(float),
                                    (k_load + threadIdx.x < n) ? 0 : sizeof(float));
            k_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < 3; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 3 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(2);
        __syncthreads();
        copy_tile(stage == 0 ? 3 : stage - 1);
        auto &tile = tile_stage[stage];
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        stage = stage == 3 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + threadIdx.x] = sum + threadIdx.x;
}

// pipelinify: launch plain
//   sizes    n=0,1,63,64,65,200,256
//   grid     4
//   block    64
//   a:       in  [n + 1]
//   out:     out [4 * 64]
//   n:       n
__global__ void plain(const float *__restrict__ a, float *__restrict__ out, int n)
{
    constexpr int stages = 4;
    __shared__ float t_stage[stages][64];
    float sum = 0.f;
    // pipelinify: cp.async, 4 stages, source db5af93f
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&t_stage[load_stage][threadIdx.x], &a[(k_load) + threadIdx.x],
                                    sizeof(float),
                                    ((k_load) + threadIdx.x < (n)) ? 0 : sizeof(float));
            k_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 64; ++i)
            sum += t_stage[stage][i] * (i + blockIdx.x);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + threadIdx.x] = sum + threadIdx.x;
}
void run_plain(const float *a, float *out, int n)
{
    plain<<<4, 64>>>(a, out, n);
}

void run(const float *a, float *out, int n)
{
    scale<<<4, 64, 256 + 3 * 256 + 1>>>(a, out, n);
}
