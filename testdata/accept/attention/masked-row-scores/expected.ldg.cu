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

    // pipelinify: ldg, 2 stages, source 7e9a14b2
    int t = 0, stage = 0;
    bool more = false;
    for (; t < tiles; ++t) {
        if (mask[blockIdx.x * tiles + t] == 0)
            continue;                       // block-uniform: nothing attends here
        more = true;
        break;
    }
    if (more) {
        kt_stage[0][wy][lane] = K[(t * W + wy) * d + lane];
        ++t;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (true) {
            more = false;
            for (; t < tiles; ++t) {
                if (mask[blockIdx.x * tiles + t] == 0)
                    continue;                       // block-uniform: nothing attends here
                more = true;
                break;
            }
            if (!more)
                break;
            float kt_next = K[(t * W + wy) * d + lane];
            for (int j = 0; j < W; ++j)
                m = fmaxf(m, q * kt_stage[stage][j][lane]);
            stage ^= 1;
            kt_stage[stage][wy][lane] = kt_next;
            __syncthreads();
            ++t;
        }
        for (int j = 0; j < W; ++j)
            m = fmaxf(m, q * kt_stage[stage][j][lane]);
    }
    rowmax[(blockIdx.x * W + wy) * W + lane] = m;
}
