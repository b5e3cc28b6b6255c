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
    __shared__ float s[4 * T], r[4][T];
    const int t = threadIdx.x;
    const int mine = base + t;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source d5981891
    int k = 0;
    if (k < tiles) {
        s[mine] = x[k * 4 * T + t];
        s[mine + T] = x[k * 4 * T + t + T];
        for (int i = 2; i < 4; ++i)
            s[mine + i * T] = x[k * 4 * T + t + i * T];
        for (int i = 0; i < 4; ++i)
            r[i][t] = x[k * 4 * T + i * T + t];
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
                sum += s[j ^ t] + s[j + T] * s[j + 2 * T] - s[j + 3 * T] * r[j % 4][t];
            __syncthreads();
            s[mine] = s_next;
            s[mine + T] = s_next2;
            #pragma unroll
            for (int i = 2; i < 4; ++i)
                s[mine + i * T] = s_next3[(i - 2)];
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                r[i][t] = r_next[i];
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] + s[j + T] * s[j + 2 * T] - s[j + 3 * T] * r[j % 4][t];
    }
    out[t] = sum * rows;
}
