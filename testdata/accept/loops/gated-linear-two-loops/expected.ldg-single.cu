// Gated linear unit: relu(X W + b) * (X V + c) in one kernel, two K loops that share one pair of tiles.
#include <cuda_runtime.h>

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
    __shared__ float xs[BT][BT];
    __shared__ float ws[BT][BT];

    int t = blockIdx.y * BT + threadIdx.y;
    int h = blockIdx.x * BT + threadIdx.x;
    float gate = 0.0f, value = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 46e03661
    {
        int d = 0;
        if (d < D) {
            xs[threadIdx.y][threadIdx.x] = (t < T && d + threadIdx.x < D) ? X[t * D + d + threadIdx.x] : 0.0f;
            ws[threadIdx.y][threadIdx.x] = (h < H && d + threadIdx.y < D) ? W[(d + threadIdx.y) * H + h] : 0.0f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (d += BT; d < D; d += BT) {
                float xs_next = (t < T && d + threadIdx.x < D) ? X[t * D + d + threadIdx.x] : 0.0f;
                float ws_next = (h < H && d + threadIdx.y < D) ? W[(d + threadIdx.y) * H + h] : 0.0f;
                for (int i = 0; i < BT; ++i)
                    gate += xs[threadIdx.y][i] * ws[i][threadIdx.x];
                __syncthreads();
                xs[threadIdx.y][threadIdx.x] = xs_next;
                ws[threadIdx.y][threadIdx.x] = ws_next;
                __syncthreads();
            }
            for (int i = 0; i < BT; ++i)
                gate += xs[threadIdx.y][i] * ws[i][threadIdx.x];
            __syncthreads();
        }
    }

    // pipelinify: ldg-single, 1 stage, source 835406bc
    {
        int d = 0;
        if (d < D) {
            xs[threadIdx.y][threadIdx.x] = (t < T && d + threadIdx.x < D) ? X[t * D + d + threadIdx.x] : 0.0f;
            ws[threadIdx.y][threadIdx.x] = (h < H && d + threadIdx.y < D) ? V[(d + threadIdx.y) * H + h] : 0.0f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (d += BT; d < D; d += BT) {
                float xs_next = (t < T && d + threadIdx.x < D) ? X[t * D + d + threadIdx.x] : 0.0f;
                float ws_next = (h < H && d + threadIdx.y < D) ? V[(d + threadIdx.y) * H + h] : 0.0f;
                for (int i = 0; i < BT; ++i)
                    value += xs[threadIdx.y][i] * ws[i][threadIdx.x];
                __syncthreads();
                xs[threadIdx.y][threadIdx.x] = xs_next;
                ws[threadIdx.y][threadIdx.x] = ws_next;
                __syncthreads();
            }
            for (int i = 0; i < BT; ++i)
                value += xs[threadIdx.y][i] * ws[i][threadIdx.x];
        }
    }

    if (t < T && h < H) {
        gate += bias_w[h];
        value += bias_v[h];
        Y[t * H + h] = (gate > 0.0f ? gate : 0.0f) * value;
    }
}
