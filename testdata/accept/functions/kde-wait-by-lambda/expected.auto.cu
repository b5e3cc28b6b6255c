// Density estimate over samples in tiles. The kernel waits by a lambda of its own name, and by a
// method of the record that it keeps its place in.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    __shared__ float tile_stage[2][TILE];
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float x = i < m ? points[i] : 0.0f;
    auto everybody = [] { __syncthreads(); };
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source cd92e6b4
    int base = 0, stage = 0;
    if (base < n) {
        tile_stage[0][threadIdx.x] = base + threadIdx.x < n ? samples[base + threadIdx.x] : 1e30f;
        everybody(); // the tile is there
        // Main loop: fetch the next tile while computing on this one.
        for (base += TILE; base < n; base += TILE) {
            float tile_next = base + threadIdx.x < n ? samples[base + threadIdx.x] : 1e30f;
            for (int j = 0; j < TILE; ++j) {
                const float d = x - tile_stage[stage][j];
                sum += tile_stage[stage][j] < 1e29f ? 1.0f / (1.0f + d * d * inv_h2) : 0.0f;
            }
            stage ^= 1;
            tile_stage[stage][threadIdx.x] = tile_next;
            everybody();
        }
        for (int j = 0; j < TILE; ++j) {
            const float d = x - tile_stage[stage][j];
            sum += tile_stage[stage][j] < 1e29f ? 1.0f / (1.0f + d * d * inv_h2) : 0.0f;
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
    constexpr int stages = 4;
    __shared__ float tile_stage[stages][TILE];
    const place here = {cg::this_thread_block(), (int)threadIdx.x};
    const int i = blockIdx.x * TILE + here.lane;
    const float x = i < m ? points[i] : 0.0f;
    float best = 1e30f;
    // pipelinify: cp.async, 4 stages, source 2fc48a82
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n) {
            if (base_load + here.lane < n) {
                __pipeline_memcpy_async(&tile_stage[load_stage][here.lane],
                                        &samples[base_load + here.lane], sizeof(float));
            } else {
                tile_stage[load_stage][here.lane] = 1e30f;
            }
            base_load += TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int base = 0; base < n; base += TILE) {
        __pipeline_wait_prior(stages - 2);
        here.wait();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < TILE; ++j)
            best = fminf(best, fabsf(x - tile_stage[stage][j]));
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    if (i < m)
        out[i] = best;
}
