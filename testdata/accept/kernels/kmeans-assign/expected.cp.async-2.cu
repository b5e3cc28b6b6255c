// k-means assignment step: every thread owns a point and walks over tiles of centroids copied flat into shared memory.
#include <cfloat>
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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

    // pipelinify: cp.async, 2 stages, source 053ee54b
    int c0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (c0_load < k)
        {
            const int count = min(TILE, k - c0_load);

            for (int e = threadIdx.x; e < count * DIM; e += blockDim.x)
                __pipeline_memcpy_async(&tile_stage[load_stage][e], &centroids[c0_load * DIM + e], sizeof(float));
            c0_load += TILE;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int c0 = 0; c0 < k; c0 += TILE)
    {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        const int count = min(TILE, k - c0);

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
                bestIndex = c0 + c;
            }
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

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
