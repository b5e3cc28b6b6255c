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
    __shared__ float buf[64];
    float acc = 0.f;
    // pipelinify: ldg-single, 1 stage, source 9b345629
    int ko = 0;
    if (ko < tiles) {
        buf[(int)threadIdx.x] = x[ko * 64 + (int)threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++ko; ko < tiles; ++ko) {
            float buf_next = x[ko * 64 + (int)threadIdx.x];
            for (int ki = 0; ki < 64; ++ki) {{
                acc = acc + buf[ki] * (float)((ki * 3 + (int)threadIdx.x) % 11);
            }}
            __syncthreads();
            buf[(int)threadIdx.x] = buf_next;
            __syncthreads();
        }
        for (int ki = 0; ki < 64; ++ki) {{
            acc = acc + buf[ki] * (float)((ki * 3 + (int)threadIdx.x) % 11);
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
    __shared__ float sx[64], sw[64];
    const int t = threadIdx.x;
    float acc = 0.f;
    // pipelinify: ldg-single, 1 stage, source a677de9a
    int at = 0;
    if (at < n) {
        auto compute_tile = [&]() {
            // use
            float part = 0.f;
            for (int j = 0; j < 64; ++j)
                part += sx[j] * sw[(j + t) % 64];
            acc += part * (float)(blockIdx.x + 1);
        };
        {
            // fetch
            const int i = at + t;
            sx[t] = x[i];
            sw[63 - t] = w[i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += 64; at < n; at += 64) {
            // fetch
            const int i = at + t;
            float sx_next = x[i];
            float sw_next = w[i];
            compute_tile();
            __syncthreads();
            sx[t] = sx_next;
            sw[63 - t] = sw_next;
            __syncthreads();
        }
        compute_tile();
    }
    y[blockIdx.x * 64 + t] = acc;
}
