// Weighted distances: points are copied, weights are bytes and scaled, both in one loop whose step is the
// block's size, which only the launch says. The weights' sum is taken from the tile.
#include <cuda_runtime.h>

#define POINTS 128

// pipelinify: launch weighted_distances
//   sizes   n=0,1,127,128,129,256,300,384 threads=32,96,128
//   sizes   n=500 threads=200
//   target  n=65536 threads=256
//   let     queries = 2 * threads
//   grid    2
//   block   threads
//   points: in  [n + 1] random
//   weight: in  [n + 1] random
//   query:  in  [queries] random
//   out:    out [queries]
//   n:      n
//   work    flops 5 * n * queries
__global__ void weighted_distances(const float2 *__restrict__ points, const unsigned char *__restrict__ weight,
                                   const float2 *__restrict__ query, float *__restrict__ out, int n)
{
    __shared__ float2 p_stage[2][POINTS];
    __shared__ float w_stage[2][POINTS];
    const float2 q = query[blockIdx.x * blockDim.x + threadIdx.x];
    float sum = 0.0f, total = 0.0f;

    // pipelinify: ldg, 2 stages, source d3ded4c8
    int first = 0, stage = 0;
    if (first < n) {
        auto compute_tile = [&]() {
            for (int i = 0; i < POINTS; ++i) {
                const float dx = p_stage[stage][i].x - q.x, dy = p_stage[stage][i].y - q.y;
                sum += w_stage[stage][i] * (dx * dx + dy * dy);
                total += w_stage[stage][i];
            }
        };
        for (int i = threadIdx.x; i < POINTS; i += blockDim.x) {
            const bool in = first + i < n;
            // a point that is not there weighs nothing
            p_stage[0][i] = in ? points[first + i] : make_float2(0.0f, 0.0f);
            w_stage[0][i] = in ? weight[first + i] * (1.0f / 255.0f) : 0.0f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += POINTS; first < n; first += POINTS) {
            float2 p_next[1];
            float w_next[1];
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < POINTS) {
                    const bool in = first + i < n;
                    // a point that is not there weighs nothing
                    p_next[slot] = in ? points[first + i] : make_float2(0.0f, 0.0f);
                    w_next[slot] = in ? weight[first + i] * (1.0f / 255.0f) : 0.0f;
                }
            }
            compute_tile();
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < POINTS) {
                    p_stage[stage][i] = p_next[slot];
                    w_stage[stage][i] = w_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + blockDim.x; i < POINTS; i += blockDim.x) {
                const bool in = first + i < n;
                // a point that is not there weighs nothing
                p_stage[stage][i] = in ? points[first + i] : make_float2(0.0f, 0.0f);
                w_stage[stage][i] = in ? weight[first + i] * (1.0f / 255.0f) : 0.0f;
            }
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = total > 0.0f ? sum / total : 0.0f;
}
