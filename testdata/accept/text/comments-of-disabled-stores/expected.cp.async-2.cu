// Comments that end as statements do keep their ends, wherever the load is put.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    __shared__ float part_stage[2][4][33];
    __shared__ __align__(16) float scale_stage[2][128];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 76b1670b
    int tile = 0, stage = 0;
    if (tile < tiles) {
        // part[0][lane] = 0.0f;
        for (int at = 0; at < 1; ++at) {
            // at = lane;
            /* const float *row = src + tile * 128; */
            float4 q = ((const float4 *)src)[(tile + at) * 32 + lane];
            // part[1][lane] = q.x; ;
            part_stage[0][0][lane] = q.x; // q.y;
            part_stage[0][1][lane] = q.y; /* q.z; */
            part_stage[0][2][lane] = q.z;
            part_stage[0][3][lane] = q.w;
        }
        __pipeline_memcpy_async(&((float4 *)scale_stage[0])[lane], &((const float4 *)by)[tile * 32 + lane],
                                sizeof(float4)); // scale[lane] = 1;
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
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
            __pipeline_memcpy_async(&((float4 *)scale_stage[stage ^ 1])[lane], &((const float4 *)by)[tile * 32 + lane],
                                    sizeof(float4)); // scale[lane] = 1;
            __pipeline_commit();
            for (int k = 0; k < 4; ++k)
                for (int i = 0; i < 32; ++i)
                    sum += part_stage[stage][k][i] * scale_stage[stage][(i * 4 + k + lane) & 127];
            stage ^= 1;
            #pragma unroll
            for (int at = 0; at < 1; ++at) {
                float4 q = q_next[at];
                part_stage[stage][0][lane] = q.x;
                part_stage[stage][1][lane] = q.y;
                part_stage[stage][2][lane] = q.z;
                part_stage[stage][3][lane] = q.w;
            }
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 32; ++i)
                sum += part_stage[stage][k][i] * scale_stage[stage][(i * 4 + k + lane) & 127];
    }
    dst[lane] = sum;
}
