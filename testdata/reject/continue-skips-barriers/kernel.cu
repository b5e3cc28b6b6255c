#define W 32

__global__ void masked_attention_scores(const float *__restrict__ Q,
                                        const float *__restrict__ K,
                                        const unsigned char *__restrict__ mask,
                                        float *__restrict__ rowmax,
                                        int tiles, int d)
{
    __shared__ float kt[W][W + 1];
    int lane = threadIdx.x, wy = threadIdx.y;
    float m = -1e30f;
    const float q = Q[(blockIdx.x * W + wy) * d + lane];

    for (int t = 0; t < tiles; ++t) {
        if (mask[blockIdx.x * tiles + t] == 0)
            continue;                       // block-uniform: nothing attends here
        kt[wy][lane] = K[(t * W + wy) * d + lane];
        __syncthreads();
        for (int j = 0; j < W; ++j)
            m = fmaxf(m, q * kt[j][lane]);
        __syncthreads();
    }
    rowmax[(blockIdx.x * W + wy) * W + lane] = m;
}
