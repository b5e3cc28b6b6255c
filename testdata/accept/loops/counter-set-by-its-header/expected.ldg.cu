// The header sets a counter from outside the loop once, not in each iteration: where the
// loads have no use for it, the condition still has, and it moves on with the loads.

// pipelinify: launch walked
//   sizes n=0,1,2,3,6
//   block 64
//   a:    in [n * 64] random
//   out:  out [64]
//   n:    n
__global__ void walked(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s_stage[2][64];
    const int tx = threadIdx.x;
    const float *p = a;
    float sum = 0.f;
    int t;
    // pipelinify: ldg, 2 stages, source 78a49838
    t = 0;
    int t_tile = t;
    if (t < n) {
        int stage = 0;
        s_stage[0][tx] = p[tx];
        p += 64;
        ++t;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (t < n) {
            float s_next = p[tx];
            for (int j = 0; j < 64; ++j)
                sum += s_stage[stage][j] * (j + t_tile);
            ++t_tile;
            stage ^= 1;
            s_stage[stage][tx] = s_next;
            p += 64;
            ++t;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j] * (j + t_tile);
    }
    out[tx] = sum + t;
}

// pipelinify: launch weighted
//   sizes n=0,1,2,3,6
//   block 64
//   a:    in [64] random
//   out:  out [64]
//   n:    n
__global__ void weighted(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s_stage[2][64];
    const int tx = threadIdx.x;
    float sum = 0.f;
    int t, w = n;
    // pipelinify: ldg, 2 stages, source e7f58ea3
    t = 0;
    int w_tile = w;
    int t_tile = t;
    if (t < n) {
        int stage = 0;
        s_stage[0][tx] = a[tx];
        w += 2;
        ++t, w ^= 3;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (t < n) {
            float s_next = a[tx];
            w_tile += 2;
            for (int j = 0; j < 64; ++j)
                sum += s_stage[stage][j] * j + w_tile;
            ++t_tile, w_tile ^= 3;
            stage ^= 1;
            s_stage[stage][tx] = s_next;
            w += 2;
            ++t, w ^= 3;
            __syncthreads();
        }
        w_tile += 2;
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j] * j + w_tile;
    }
    out[tx] = sum + w + t;
}
