// Comments that end as statements do keep their ends, wherever the load is put.
#include <cuda_runtime.h>

// pipelinify: launch quarters
//   sizes   tiles=0,1,2,5
//   grid    1
//   block   32
//   src:    in  [tiles * 128] random
//   by:     in  [tiles * 128] random
//   dst:    out [32]
//   tiles:  tiles
__global__ void quarters(const float *__restrict__ src, const float *__restrict__ by, float *__restrict__ dst, int tiles)
{
    __shared__ float part[4][33];
    __shared__ float scale[128];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; ++tile) {
        // part[0][lane] = 0.0f;
        for (int at = 0; at < 1; ++at) { // at = lane;
            /* const float *row = src + tile * 128; */
            float4 q = ((const float4 *)src)[(tile + at) * 32 + lane];
            // part[1][lane] = q.x; ;
            part[0][lane] = q.x; // q.y;
            part[1][lane] = q.y; /* q.z; */
            part[2][lane] = q.z;
            part[3][lane] = q.w;
        }
        ((float4 *)scale)[lane] = ((const float4 *)by)[tile * 32 + lane]; // scale[lane] = 1;
        __syncthreads();
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 32; ++i)
                sum += part[k][i] * scale[(i * 4 + k + lane) & 127];
        __syncthreads();
    }
    dst[lane] = sum;
}
