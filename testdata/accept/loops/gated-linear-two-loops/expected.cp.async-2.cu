// Gated linear unit: relu(X W + b) * (X V + c) in one kernel, two K loops that share one pair of tiles.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define BT 16

// pipelinify: launch gated_linear
//   sizes    T=16 H=16 D=0,1,15,16,17,32,48,64,80
//   sizes    T=7 H=33 D=50
//   target   T=4096 H=4096 D=1024
//   requires T > 0 && H > 0
//   let      B = 16
//   grid     (H + B - 1) / B, (T + B - 1) / B
//   block    16, 16
//   X:       in  [T * D]
//   W:       in  [D * H]
//   V:       in  [D * H]
//   bias_w:  in  [H]
//   bias_v:  in  [H]
//   Y:       out [T * H]
//   T:       T
//   D:       D
//   H:       H
__global__ void gated_linear(const float *X, const float *W, const float *V,
                             const float *bias_w, const float *bias_v,
                             float *Y, int T, int D, int H)
{
    __shared__ float xs_stage[2][BT][BT];
    __shared__ float ws_stage[2][BT][BT];

    int t = blockIdx.y * BT + threadIdx.y;
    int h = blockIdx.x * BT + threadIdx.x;
    float gate = 0.0f, value = 0.0f;

    // pipelinify: cp.async, 2 stages, source 46e03661
    {
        int d_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (d_load < D) {
                __pipeline_memcpy_async(&xs_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &X[t * D + d_load + threadIdx.x], sizeof(float),
                                        (t < T && d_load + threadIdx.x < D) ? 0 : sizeof(float));
                __pipeline_memcpy_async(&ws_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &W[(d_load + threadIdx.y) * H + h], sizeof(float),
                                        (h < H && d_load + threadIdx.y < D) ? 0 : sizeof(float));
                d_load += BT;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int d = 0; d < D; d += BT) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (int i = 0; i < BT; ++i)
                gate += xs_stage[stage][threadIdx.y][i] * ws_stage[stage][i][threadIdx.x];
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }

    // pipelinify: cp.async, 2 stages, source 835406bc
    {
        int d_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (d_load < D) {
                __pipeline_memcpy_async(&xs_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &X[t * D + d_load + threadIdx.x], sizeof(float),
                                        (t < T && d_load + threadIdx.x < D) ? 0 : sizeof(float));
                __pipeline_memcpy_async(&ws_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &V[(d_load + threadIdx.y) * H + h], sizeof(float),
                                        (h < H && d_load + threadIdx.y < D) ? 0 : sizeof(float));
                d_load += BT;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int d = 0; d < D; d += BT) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (int i = 0; i < BT; ++i)
                value += xs_stage[stage][threadIdx.y][i] * ws_stage[stage][i][threadIdx.x];
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
    }

    if (t < T && h < H) {
        gate += bias_w[h];
        value += bias_v[h];
        Y[t * H + h] = (gate > 0.0f ? gate : 0.0f) * value;
    }
}
