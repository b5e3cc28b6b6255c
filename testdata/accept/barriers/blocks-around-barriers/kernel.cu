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
    for (int ko = 0; ko < tiles; ++ko) {{
        buf[(int)threadIdx.x] = x[ko * 64 + (int)threadIdx.x];
        __syncthreads();
        for (int ki = 0; ki < 64; ++ki) {{
            acc = acc + buf[ki] * (float)((ki * 3 + (int)threadIdx.x) % 11);
        }}
        __syncthreads();
    }}
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
    for (int at = 0; at < n; at += 64) {
        // fetch
        {
            const int i = at + t;
            sx[t] = x[i];
            sw[63 - t] = w[i];
            __syncthreads();
        }
        // use
        {
            float part = 0.f;
            for (int j = 0; j < 64; ++j)
                part += sx[j] * sw[(j + t) % 64];
            acc += part * (float)(blockIdx.x + 1);
            __syncthreads();
        }
    }
    y[blockIdx.x * 64 + t] = acc;
}
