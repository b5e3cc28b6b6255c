// Rows of four words a thread, read and written through the project's own helpers.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

__device__ __forceinline__ float4 read4(const float *from) { return *reinterpret_cast<const float4 *>(from); }
__device__ __forceinline__ void write4(float *to, float4 v) { *reinterpret_cast<float4 *>(to) = v; }
__device__ __forceinline__ float read1(const float *from) { return __ldg(from); }
__device__ __forceinline__ void write1(float v, float *to) { to[0] = v; }

// pipelinify: launch scaled_rows
//   sizes n=0,1,2,3,4,7 live=0,19,32
//   target n=4096 live=32
//   block 32
//   a:    in  [n * 128] random
//   b:    in  [n * 32] random
//   c:    in  [n * 64] random
//   y:    out [32]
//   n:    n
//   live: live
__global__ void scaled_rows(const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c,
                            float *__restrict__ y, int n, int live)
{
    constexpr int stages = 8;
    __shared__ __align__(16) float rows_stage[stages][4][32], scale_stage[stages][32], shift_stage[stages][2][32];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source 9035f3be
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            if (t < live) {
                __pipeline_memcpy_async(&rows_stage[load_stage][t / 8][t % 8 * 4], a + k_load * 128 + t * 4,
                                        sizeof(float4));
            } else {
                write4(&rows_stage[load_stage][t / 8][t % 8 * 4], make_float4(0, 0, 0, 0));
            }
            __pipeline_memcpy_async(scale_stage[load_stage] + t, b + k_load * 32 + t, sizeof(float)); // one a column
            for (int i = 0; i < 2; ++i) {
                __pipeline_memcpy_async(&shift_stage[load_stage][i][t], &c[(k_load * 2 + i) * 32 + t], sizeof(float));
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
        for (int i = 0; i < 32; ++i)
            sum += rows_stage[stage][t % 4][i] * scale_stage[stage][i] + shift_stage[stage][i & 1][31 - i];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[t] = sum;
}
