// Loops that fill the tile again behind its use.
#include <cuda_fp16.h>

// pipelinify: launch consume
//   sizes    tiles=0,1,2,3,8
//   block    64
//   a:       in [tiles * 64] random
//   first:   in [64] random
//   out:     out [64]
//   tiles:   tiles
__global__ void consume(const int *__restrict__ a, const int *__restrict__ first,
                        int *__restrict__ out, int tiles)
{
    __shared__ int s[64];
    int t = threadIdx.x, acc = 0;
    s[t] = first[t];
    __syncthreads();
    {
        int k = 0;
        if (k < tiles) {
            {
                for (int j = 0; j < 64; ++j)
                    acc += s[(t + j) & 63] * (j + 1);
                __syncthreads();
            }
            auto k_before = k;
            // pipelinify: ldg-single, 1 stage, source dcc6629c
            ++k;
            if (k < tiles) {
                s[t] = a[k_before * 64 + t]; // for the next one
                __syncthreads();
                // Main loop: fetch the next tile while computing on this one.
                for (++k, ++k_before; k < tiles; ++k, ++k_before) {
                    int s_next = a[k_before * 64 + t]; // for the next one
                    for (int j = 0; j < 64; ++j)
                        acc += s[(t + j) & 63] * (j + 1);
                    __syncthreads();
                    s[t] = s_next;
                    __syncthreads();
                }
                for (int j = 0; j < 64; ++j)
                    acc += s[(t + j) & 63] * (j + 1);
                __syncthreads();
            }
        }
    }
    out[t] = acc;
}

// The next tile is asked for, where there is one; more than one block.
// pipelinify: launch multiply<16>
//   sizes    n=16,32,80
//   grid     n/16, n/16
//   block    16,16
//   c:       out [n * n]
//   a:       in [n * n] random
//   b:       in [n * n] random
//   n:       n
template <int B>
__global__ void multiply(float *__restrict__ c, const float *__restrict__ a,
                         const float *__restrict__ b, int n)
{
    __shared__ float as[B][B], bs[B][B];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * B + ty, col = blockIdx.x * B + tx;
    float sum = 0;
    as[ty][tx] = a[row * n + tx];
    bs[ty][tx] = b[ty * n + col];
    {
        int k = 0;
        if (k < n) {
            {
                __syncthreads();
                for (int j = 0; j < B; ++j)
                    sum += as[ty][j] * bs[j][tx];
                __syncthreads();
            }
            auto k_before = k;
            // pipelinify: ldg-single, 1 stage, source b9333e45
            k += B;
            if (k < n) {
                {
                    as[ty][tx] = a[row * n + k_before + B + tx];
                    bs[ty][tx] = b[(k_before + B + ty) * n + col];
                }
                k += B, k_before += B;
                __syncthreads();
                // Main loop: fetch the next tile while computing on this one.
                for (; k < n; k += B, k_before += B) {
                    float as_next;
                    float bs_next;
                    {
                        as_next = a[row * n + k_before + B + tx];
                        bs_next = b[(k_before + B + ty) * n + col];
                    }
                    for (int j = 0; j < B; ++j)
                        sum += as[ty][j] * bs[j][tx];
                    __syncthreads();
                    {
                        as[ty][tx] = as_next;
                        bs[ty][tx] = bs_next;
                    }
                    __syncthreads();
                }
                for (int j = 0; j < B; ++j)
                    sum += as[ty][j] * bs[j][tx];
                __syncthreads();
            }
        }
    }
    c[row * n + col] = sum;
}

// A pointer that the loads move, and a place that both sides go by; in a loop.
// pipelinify: launch rounds
//   sizes    rounds=1,2 tiles=1,2,3
//   block    64
//   a:       in [rounds * tiles * 256] random
//   out:     out [rounds * 64]
//   rounds:  rounds
//   tiles:   tiles
__global__ void rounds(const float *__restrict__ a, float *__restrict__ out, int rounds, int tiles)
{
    __shared__ float4 s[64];
    const int t = threadIdx.x;
    for (int r = 0; r < rounds; ++r) {
        const float *p = a + r * tiles * 256;
        float sum = 0;
        s[t] = *reinterpret_cast<const float4 *>(p + 4 * t);
        __syncthreads();
        {
            int k = 0;
            if (k < tiles) {
                {
                    for (int j = 0; j < 64; ++j)
                        sum += s[(t + j) % 64].x * (j + 1) - s[j].w * k;
                    __syncthreads();
                }
                auto k_before = k;
                // pipelinify: ldg-single, 1 stage, source b9b8d99b
                ++k;
                int k_tile = k;
                if (k < tiles) {
                    {
                        const int next_before = 4 * t;
                        {
                            p += 256;
                            s[t] = *reinterpret_cast<const float4 *>(p + next_before);
                        }
                    }
                    __syncthreads();
                    // Main loop: fetch the next tile while computing on this one.
                    for (++k, ++k_before; k < tiles; ++k, ++k_before) {
                        float4 s_next;
                        const int next_before = 4 * t;
                        {
                            p += 256;
                            s_next = *reinterpret_cast<const float4 *>(p + next_before);
                        }
                        for (int j = 0; j < 64; ++j)
                            sum += s[(t + j) % 64].x * (j + 1) - s[j].w * k_tile;
                        ++k_tile;
                        __syncthreads();
                        {
                            s[t] = s_next;
                        }
                        __syncthreads();
                    }
                    for (int j = 0; j < 64; ++j)
                        sum += s[(t + j) % 64].x * (j + 1) - s[j].w * k_tile;
                    __syncthreads();
                }
            }
        }
        out[r * 64 + t] = sum;
    }
}
