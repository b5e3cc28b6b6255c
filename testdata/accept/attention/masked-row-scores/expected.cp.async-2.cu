#include <cuda_pipeline.h>

#define W 32

// pipelinify: launch masked_attention_scores
//   sizes  tiles=0,1,2,3,4,7,12 blocks=1 d=40
//   sizes  tiles=3,4 blocks=4 d=32
//   target tiles=64 blocks=256 d=64
//   grid   blocks
//   block  32, 32
//   Q:     in  [blocks * 32 * d]
//   K:     in  [tiles * 32 * d]
//   mask:  in  [blocks * tiles] below(2)
//   rowmax: out [blocks * 1024]
//   tiles: tiles
//   d:     d
__global__ void masked_attention_scores(const float *__restrict__ Q,
                                        const float *__restrict__ K,
                                        const unsigned char *__restrict__ mask,
                                        float *__restrict__ rowmax,
                                        int tiles, int d)
{
    __shared__ float kt_stage[2][W][W + 1];
    int lane = threadIdx.x, wy = threadIdx.y;
    float m = -1e30f;
    const float q = Q[(blockIdx.x * W + wy) * d + lane];

    // pipelinify: cp.async, 2 stages, source 7e9a14b2
    int t = 0, t_load = t, stage = 0;
    bool more = true;
    for (int load_stage = 0; load_stage < 1; ++load_stage) {
        auto &t = t_load;
        if (more) {
            more = false;
            for (; t < tiles; ++t) {
                if (mask[blockIdx.x * tiles + t] == 0)
                    continue;                       // block-uniform: nothing attends here
                more = true;
                break;
            }
        }
        if (more) {
            __pipeline_memcpy_async(&kt_stage[load_stage][wy][lane], &K[(t * W + wy) * d + lane],
                                    sizeof(float));
            ++t;
        }
        __pipeline_commit();
    }
    // Main loop: 1 tile is in flight while computing on one.
    for (; t < tiles; ++t) {
        if (mask[blockIdx.x * tiles + t] == 0)
            continue;                       // block-uniform: nothing attends here
        __pipeline_wait_prior(0);
        __syncthreads();
        {
            auto &t = t_load;
            if (more) {
                more = false;
                for (; t < tiles; ++t) {
                    if (mask[blockIdx.x * tiles + t] == 0)
                        continue;                       // block-uniform: nothing attends here
                    more = true;
                    break;
                }
            }
            if (more) {
                int load_stage = stage ^ 1;
                __pipeline_memcpy_async(&kt_stage[load_stage][wy][lane],
                                        &K[(t * W + wy) * d + lane], sizeof(float));
                ++t;
            }
        }
        __pipeline_commit();
        for (int j = 0; j < W; ++j)
            m = fmaxf(m, q * kt_stage[stage][j][lane]);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    rowmax[(blockIdx.x * W + wy) * W + lane] = m;
}
