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
    // pipelinify: ldg-single, 1 stage, source 76b1670b
    int tile = 0;
    if (tile < tiles) {
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
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < tiles; ++tile) {
            float4 q_next[1];
            // part[0][lane] = 0.0f;
            #pragma unroll
            for (int at = 0; at < 1; ++at) {
                // at = lane;
                /* const float *row = src + tile * 128; */
                float4 q = ((const float4 *)src)[(tile + at) * 32 + lane];
                q_next[at] = q;
            }
            float4 scale_next = ((const float4 *)by)[tile * 32 + lane]; // scale[lane] = 1;
            for (int k = 0; k < 4; ++k)
                for (int i = 0; i < 32; ++i)
                    sum += part[k][i] * scale[(i * 4 + k + lane) & 127];
            __syncthreads();
            #pragma unroll
            for (int at = 0; at < 1; ++at) {
                float4 q = q_next[at];
                part[0][lane] = q.x;
                part[1][lane] = q.y;
                part[2][lane] = q.z;
                part[3][lane] = q.w;
            }
            ((float4 *)scale)[lane] = scale_next;
            __syncthreads();
        }
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 32; ++i)
                sum += part[k][i] * scale[(i * 4 + k + lane) & 127];
    }
    dst[lane] = sum;
}
