#include <cuda_runtime.h>

#define T 64

// 'base' and 'rows' are known to a launch alone, but two cells of a thread are
// as far apart whatever they are; so are those of a loop.
// pipelinify: launch apart
//   sizes    T=64 tiles=0,1,2,3,5
//   target   T=64 tiles=4096
//   block    T
//   x:       in [tiles * 4 * T] random
//   out:     out [T]
//   tiles:   tiles
//   base:    0
//   rows:    4
__global__ void apart(const float *__restrict__ x, float *__restrict__ out,
                      int tiles, int base, int rows)
{
    __shared__ float s_stage[2][4 * T], r_stage[2][4][T];
    const int t = threadIdx.x;
    const int mine = base + t;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source d5981891
    int k = 0, stage = 0;
    if (k < tiles) {
        s_stage[0][mine] = x[k * 4 * T + t];
        s_stage[0][mine + T] = x[k * 4 * T + t + T];
        for (int i = 2; i < 4; ++i)
            s_stage[0][mine + i * T] = x[k * 4 * T + t + i * T];
        for (int i = 0; i < 4; ++i)
            r_stage[0][i][t] = x[k * 4 * T + i * T + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next3[2];
            float r_next[4];
            float s_next = x[k * 4 * T + t];
            float s_next2 = x[k * 4 * T + t + T];
            #pragma unroll
            for (int i = 2; i < 4; ++i)
                s_next3[(i - 2)] = x[k * 4 * T + t + i * T];
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                r_next[i] = x[k * 4 * T + i * T + t];
            for (int j = 0; j < T; ++j)
                sum += s_stage[stage][j ^ t] + s_stage[stage][j + T] * s_stage[stage][j + 2 * T] -
                       s_stage[stage][j + 3 * T] * r_stage[stage][j % 4][t];
            stage ^= 1;
            s_stage[stage][mine] = s_next;
            s_stage[stage][mine + T] = s_next2;
            #pragma unroll
            for (int i = 2; i < 4; ++i)
                s_stage[stage][mine + i * T] = s_next3[(i - 2)];
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                r_stage[stage][i][t] = r_next[i];
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum += s_stage[stage][j ^ t] + s_stage[stage][j + T] * s_stage[stage][j + 2 * T] -
                   s_stage[stage][j + 3 * T] * r_stage[stage][j % 4][t];
    }
    out[t] = sum * rows;
}
