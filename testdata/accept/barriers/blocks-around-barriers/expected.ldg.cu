// Blocks that hold barriers: braces that a generator has doubled, and a block for each phase.
#include <cuda_runtime.h>

// pipelinify: launch doubled
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     3
//   block    64
//   x:       in  [tiles*64 + 1]
//   y:       out [3*64]
//   tiles:   tiles

extern "C" __global__ void doubled(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float buf_stage[2][64];
    float acc = 0.f;
    // pipelinify: ldg, 2 stages, source 9b345629
    int ko = 0, stage = 0;
    if (ko < tiles) {
        buf_stage[0][(int)threadIdx.x] = x[ko * 64 + (int)threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++ko; ko < tiles; ++ko) {
            float buf_next = x[ko * 64 + (int)threadIdx.x];
            for (int ki = 0; ki < 64; ++ki) {{
                acc = acc + buf_stage[stage][ki] * (float)((ki * 3 + (int)threadIdx.x) % 11);
            }}
            stage ^= 1;
            buf_stage[stage][(int)threadIdx.x] = buf_next;
            __syncthreads();
        }
        for (int ki = 0; ki < 64; ++ki) {{
            acc = acc + buf_stage[stage][ki] * (float)((ki * 3 + (int)threadIdx.x) % 11);
        }}
    }
    y[(int)blockIdx.x * 64 + (int)threadIdx.x] = acc;
}

// pipelinify: launch phases
//   sizes    n=64,128,320
//   target   n=65536
//   grid     3
//   block    64
//   x:       in  [n + 1]
//   w:       in  [n + 1]
//   y:       out [3*64]
//   n:       n

__global__ void phases(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n)
{
    __shared__ float sx_stage[2][64], sw_stage[2][64];
    const int t = threadIdx.x;
    float acc = 0.f;
    // pipelinify: ldg, 2 stages, source a677de9a
    int at = 0, stage = 0;
    if (at < n) {
        auto compute_tile = [&]() {
            // use
            float part = 0.f;
            for (int j = 0; j < 64; ++j)
                part += sx_stage[stage][j] * sw_stage[stage][(j + t) % 64];
            acc += part * (float)(blockIdx.x + 1);
        };
        {
            // fetch
            const int i = at + t;
            sx_stage[0][t] = x[i];
            sw_stage[0][63 - t] = w[i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += 64; at < n; at += 64) {
            // fetch
            const int i = at + t;
            float sx_next = x[i];
            float sw_next = w[i];
            compute_tile();
            stage ^= 1;
            sx_stage[stage][t] = sx_next;
            sw_stage[stage][63 - t] = sw_next;
            __syncthreads();
        }
        compute_tile();
    }
    y[blockIdx.x * 64 + t] = acc;
}
