// Density estimate over samples in tiles. The kernel waits by a lambda of its own name, and by a
// method of the record that it keeps its place in.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

#define TILE 128

struct place {
    cg::thread_block block;
    int lane;

    __device__ void wait() const { block.sync(); }
};

// pipelinify: launch density
//   sizes    n=0,1,127,128,129,256,300,512,900 m=1,200
//   target   n=16384 m=65536
//   grid     (m + 127) / 128
//   block    128
//   samples: in  [n]
//   points:  in  [m]
//   out:     out [m]
//   n:       n
//   m:       m
//   inv_h2:  0.75
__global__ void density(const float *__restrict__ samples, const float *__restrict__ points,
                        float *__restrict__ out, int n, int m, float inv_h2)
{
    __shared__ float tile[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float x = i < m ? points[i] : 0.0f;
    auto everybody = [] { __syncthreads(); };
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source cd92e6b4
    int base = 0;
    if (base < n) {
        tile[threadIdx.x] = base + threadIdx.x < n ? samples[base + threadIdx.x] : 1e30f;
        everybody(); // the tile is there
        // Main loop: fetch the next tile while computing on this one.
        for (base += TILE; base < n; base += TILE) {
            float tile_next = base + threadIdx.x < n ? samples[base + threadIdx.x] : 1e30f;
            for (int j = 0; j < TILE; ++j) {
                const float d = x - tile[j];
                sum += tile[j] < 1e29f ? 1.0f / (1.0f + d * d * inv_h2) : 0.0f;
            }
            everybody();
            tile[threadIdx.x] = tile_next;
            everybody(); // the tile is there
        }
        for (int j = 0; j < TILE; ++j) {
            const float d = x - tile[j];
            sum += tile[j] < 1e29f ? 1.0f / (1.0f + d * d * inv_h2) : 0.0f;
        }
    }
    if (i < m)
        out[i] = sum;
}

// pipelinify: launch nearest
//   sizes    n=0,1,127,128,129,256,300,512,900 m=1,200
//   target   n=16384 m=65536
//   grid     (m + 127) / 128
//   block    128
//   samples: in  [n]
//   points:  in  [m]
//   out:     out [m]
//   n:       n
//   m:       m
// pipelinify: launch nearest
//   sizes    n=0,1,200 m=200
//   grid     (m + 127) / 128
//   block    128
//   samples: in  [n]
//   points:  in  [m] range(0, 2e30)
//   out:     out [m]
//   n:       n
//   m:       m
__global__ void nearest(const float *__restrict__ samples, const float *__restrict__ points,
                        float *__restrict__ out, int n, int m)
{
    __shared__ float tile[TILE];
    const place here = {cg::this_thread_block(), (int)threadIdx.x};
    const int i = blockIdx.x * TILE + here.lane;
    const float x = i < m ? points[i] : 0.0f;
    float best = 1e30f;
    // pipelinify: ldg-single, 1 stage, source 2fc48a82
    int base = 0;
    if (base < n) {
        tile[here.lane] = base + here.lane < n ? samples[base + here.lane] : 1e30f;
        here.wait();
        // Main loop: fetch the next tile while computing on this one.
        for (base += TILE; base < n; base += TILE) {
            float tile_next = base + here.lane < n ? samples[base + here.lane] : 1e30f;
            for (int j = 0; j < TILE; ++j)
                best = fminf(best, fabsf(x - tile[j]));
            here.wait();
            tile[here.lane] = tile_next;
            here.wait();
        }
        for (int j = 0; j < TILE; ++j)
            best = fminf(best, fabsf(x - tile[j]));
    }
    if (i < m)
        out[i] = best;
}
