#include <cuda_pipeline.h>
// A block works on several rows of tiles; each row has its own prologue.
__global__ void rows(const float *in, float *out, int n_rows, int tiles)
{
    __shared__ float tile[2][64];
    for (int r = blockIdx.x; r < n_rows; r += gridDim.x) {
        const float *p = in + (size_t)r * tiles * 64;
        float acc = 0;
        if (tiles > 0)
            __pipeline_memcpy_async(&tile[0][threadIdx.x], p + threadIdx.x, 4);
        __pipeline_commit();
        for (int t = 0; t < tiles; ++t) {
            __pipeline_wait_prior(0);
            __syncthreads();
            if (t + 1 < tiles)
                __pipeline_memcpy_async(&tile[(t + 1) % 2][threadIdx.x], p + (t + 1) * 64 + threadIdx.x, 4);
            __pipeline_commit();
            acc += tile[t % 2][63 - threadIdx.x];
        }
        out[r * 64 + threadIdx.x] = acc;
        __syncthreads();
    }
}

// pipelinify: launch rows
//   sizes  R=1,2,5 T=0,1,2,3,6
//   target R=4096 T=64
//   grid   2
//   block  64
//   in:    in [R * T * 64]
//   out:   out [R * 64]
//   n_rows: R
//   tiles: T
