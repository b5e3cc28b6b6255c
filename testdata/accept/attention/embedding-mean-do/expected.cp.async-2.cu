// Every sequence has at least one token: the walk over its tokens asks behind the body, stepping as it asks.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch mean_rows
//   sizes  groups=1,3,8 per=1,2,3,4,10 dim=64,128
//   target groups=4096 per=128 dim=1024
//   let    tokens = groups * per
//   grid   groups, dim / 64
//   block  64
//   table:  in  [50 * dim]
//   ids:    in  [tokens * 16] below(50)
//   out:    out [groups * dim]
//   last:   out [groups * dim]
//   per:    per
//   dim:    dim
__global__ void mean_rows(const float *__restrict__ table, const unsigned short *__restrict__ ids,
                          float *__restrict__ out, unsigned *__restrict__ last,
                          unsigned per, unsigned dim)
{
    __shared__ unsigned short id_stage[2][16];
    __shared__ float weights_stage[2][64];
    unsigned lane = threadIdx.x;
    unsigned col = blockIdx.y * 64 + lane;
    unsigned at = blockIdx.x * per * 16;
    const unsigned end = at + per * 16;
    float total = 0.0f, norm = 0.0f;

    // pipelinify: cp.async, 2 stages, source 2f4ce9fe
    int stage = 0;
    if (lane < 16)
        id_stage[0][lane] = ids[at + lane];
    __pipeline_memcpy_async(&weights_stage[0][lane], &table[ids[at] * dim + blockIdx.y * 64 + lane], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    // Main loop: copy or fetch the next tile while computing on this one.
    while ((at += 16) < end)
    {
        unsigned short id_next;
        if (lane < 16)
            id_next = ids[at + lane];
        __pipeline_memcpy_async(&weights_stage[stage ^ 1][lane], &table[ids[at] * dim + blockIdx.y * 64 + lane],
                                sizeof(float));
        __pipeline_commit();
        for (int i = 0; i < 16; ++i)
            total += table[id_stage[stage][i] * dim + col] * weights_stage[stage][i];
        for (int i = 0; i < 64; ++i)
            norm += weights_stage[stage][i] * weights_stage[stage][i];
        stage ^= 1;
        if (lane < 16)
            id_stage[stage][lane] = id_next;
        __pipeline_wait_prior(0);
        __syncthreads();
    }
    for (int i = 0; i < 16; ++i)
        total += table[id_stage[stage][i] * dim + col] * weights_stage[stage][i];
    for (int i = 0; i < 64; ++i)
        norm += weights_stage[stage][i] * weights_stage[stage][i];

    out[blockIdx.x * dim + col] = total / (1.0f + norm);
    last[blockIdx.x * dim + col] = at;
}
