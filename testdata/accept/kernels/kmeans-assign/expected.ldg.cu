// k-means assignment step: every thread owns a point and walks over tiles of centroids copied flat into shared memory.
#include <cfloat>
#include <cuda_runtime.h>

// pipelinify: launch assign_clusters<4, 32>
//   sizes  n=100 k=0,1,31,32,33,64,96,128,160,200
//   target n=1048576 k=1024
//   grid   (n + 127) / 128
//   block  128
//   points:    in  [n * 4] random
//   centroids: in  [k * 4] random
//   labels:    out [n]
//   inertia:   out [n]
//   n:     n
//   k:     k
//   work   flops 3 * n * k * 4
//
// pipelinify: launch assign_clusters<3, 16>
//   sizes  n=33 k=1,16,50
//   target n=1048576 k=256
//   grid   (n + 127) / 128
//   block  128
//   points:    in  [n * 3] random
//   centroids: in  [k * 3] random
//   labels:    out [n]
//   inertia:   out [n]
//   n:     n
//   k:     k
template <int DIM, int TILE>
__global__ void assign_clusters(const float* __restrict__ points,
                                const float* __restrict__ centroids,
                                int* __restrict__ labels,
                                float* __restrict__ inertia,
                                int n, int k)
{
    __shared__ float tile_stage[2][TILE * DIM];

    const int  i     = blockIdx.x * blockDim.x + threadIdx.x;
    const bool valid = (i < n);

    float p[DIM];
    #pragma unroll
    for (int d = 0; d < DIM; ++d)
        p[d] = valid ? points[i * DIM + d] : 0.0f;

    float best      = FLT_MAX;
    int   bestIndex = -1;

    // pipelinify: ldg, 2 stages, source 053ee54b
    int c0 = 0, c0_tile = c0, stage = 0;
    if (c0 < k)
    {
        auto compute_tile = [&]()
        {
            const int count = min(TILE, k - c0_tile);

            for (int c = 0; c < count; ++c)
            {
                float d2 = 0.0f;
                #pragma unroll
                for (int d = 0; d < DIM; ++d)
                {
                    const float diff = p[d] - tile_stage[stage][c * DIM + d];
                    d2 += diff * diff;
                }
                if (d2 < best)
                {
                    best      = d2;
                    bestIndex = c0_tile + c;
                }
            }
        };
        {
            const int count = min(TILE, k - c0);

            for (int e = threadIdx.x; e < count * DIM; e += blockDim.x)
                tile_stage[0][e] = centroids[c0 * DIM + e];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (c0 += TILE; c0 < k; c0 += TILE)
        {
            float tile_next[1];
            const int count = min(TILE, k - c0);

            #pragma unroll
            for (int slot = 0; slot < 1; ++slot)
            {
                int e = threadIdx.x + slot * blockDim.x;
                if (e < count * DIM)
                    tile_next[slot] = centroids[c0 * DIM + e];
            }
            compute_tile();
            c0_tile += TILE;
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot)
            {
                int e = threadIdx.x + slot * blockDim.x;
                if (e < count * DIM)
                    tile_stage[stage][e] = tile_next[slot];
            }
            // What has not been fetched ahead.
            for (int e = threadIdx.x + blockDim.x; e < count * DIM; e += blockDim.x)
                tile_stage[stage][e] = centroids[c0 * DIM + e];
            __syncthreads();
        }
        compute_tile();
    }

    if (valid)
    {
        labels[i]  = bestIndex;
        inertia[i] = best;
    }
}

void assignClusters(const float* points, const float* centroids, int* labels, float* inertia,
                    int n, int k, int dim)
{
    const int threads = 128;
    const int blocks  = (n + threads - 1) / threads;
    switch (dim)
    {
        case 3: assign_clusters<3, 16><<<blocks, threads>>>(points, centroids, labels, inertia, n, k); break;
        case 4: assign_clusters<4, 32><<<blocks, threads>>>(points, centroids, labels, inertia, n, k); break;
        default: break;
    }
}
