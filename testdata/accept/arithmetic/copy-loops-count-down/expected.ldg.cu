// Copy loops that count down where they ask, and to zero by whatever test.
#include <cuda_runtime.h>

#define PARTS 6
#define WIDTH 32

enum { HALVES = 4 };

// pipelinify: launch down_to_zero
//   sizes n=0,192,384,576,960,1344
//   target n=393216
//   grid  2
//   block WIDTH
//   let   WIDTH = 32
//   x:    in  [n] random
//   y:    out [2 * WIDTH]
//   n:    n
__global__ void down_to_zero(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float line_stage[2][PARTS * WIDTH];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 8c6196b1
    int at = 0, stage = 0;
    if (at < n) {
        for (int p = PARTS - 1; p + 1 > 0; --p)
            line_stage[0][p * WIDTH + t] = x[at + p * WIDTH + t];
        at += PARTS * WIDTH;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; at < n; at += PARTS * WIDTH) {
            float line_next[6];
            #pragma unroll
            for (int p = PARTS - 1, slot = 0; slot < 6 && p + 1 > 0; --p, ++slot) {
                line_next[slot] = x[at + p * WIDTH + t];
            }
            for (int i = 0; i < PARTS * WIDTH; ++i)
                sum += line_stage[stage][i] * (float)((i ^ t) & 7);
            stage ^= 1;
            {
                int p = PARTS - 1;
                #pragma unroll
                for (int slot = 0; slot < 6 && p + 1 > 0; --p, ++slot) {
                    line_stage[stage][p * WIDTH + t] = line_next[slot];
                }
                for (; p + 1 > 0; --p)
                    line_stage[stage][p * WIDTH + t] = x[at + p * WIDTH + t];
            }
            __syncthreads();
        }
        for (int i = 0; i < PARTS * WIDTH; ++i)
            sum += line_stage[stage][i] * (float)((i ^ t) & 7);
    }
    y[blockIdx.x * WIDTH + t] = sum;
}

// The number of halves is for no build to change; asked without a sign, the test
// would hold once more behind the end.
// pipelinify: launch asked_by_value
//   sizes n=0,128,256,384,640
//   target n=262144
//   grid  1
//   block WIDTH
//   let   WIDTH = 32
//   x:    in  [n] random
//   y:    out [WIDTH]
//   n:    n
__global__ void asked_by_value(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float line_stage[2][HALVES * WIDTH];
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 0348e3ad
    if (n > 0) {
        int stage = 0;
        {
            float *to = line_stage[0] + threadIdx.x;
            const float *from = x + threadIdx.x;
            int halves = HALVES;
            while (halves--) {
                *to = *from;
                to += WIDTH;
                from += WIDTH;
            }
            x += HALVES * WIDTH;
            n -= HALVES * WIDTH;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (n > 0) {
            float line_next[4];
            const float *from = x + threadIdx.x;
            int halves = HALVES;
            #pragma unroll
            for (int slot = 0; slot < 4 && (halves--); ++slot) {
                line_next[slot] = *from;
                from += WIDTH;
            }
            for (int i = 0; i < HALVES * WIDTH; ++i)
                sum += line_stage[stage][i] * (float)((i + threadIdx.x) & 7);
            stage ^= 1;
            {
                float *to = line_stage[stage] + threadIdx.x;
                int halves = HALVES;
                #pragma unroll
                for (int slot = 0; slot < 4 && (halves--); ++slot) {
                    *to = line_next[slot];
                    to += WIDTH;
                }
            }
            x += HALVES * WIDTH;
            n -= HALVES * WIDTH;
            __syncthreads();
        }
        for (int i = 0; i < HALVES * WIDTH; ++i)
            sum += line_stage[stage][i] * (float)((i + threadIdx.x) & 7);
    }
    y[threadIdx.x] = sum;
}

// Without a sign, by a macro that another build may define otherwise: what is
// left goes on only where the counter ended the loop.
// pipelinify: launch asked_without_sign
//   sizes n=0,192,384,576,960,1344
//   target n=393216
//   grid  1
//   block WIDTH
//   let   WIDTH = 32
//   x:    in  [n] random
//   y:    out [WIDTH]
//   n:    n
__global__ void asked_without_sign(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float line_stage[2][PARTS * WIDTH];
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source c4b8121f
    int at = 0, stage = 0;
    if (at < n) {
        for (unsigned p = PARTS; p-- > 0;)
            line_stage[0][p * WIDTH + threadIdx.x] = x[at + p * WIDTH + threadIdx.x];
        at += PARTS * WIDTH;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; at < n; at += PARTS * WIDTH) {
            float line_next[6];
            #pragma unroll
            for (unsigned p = PARTS, slot = 0; slot < 6 && p-- > 0; ++slot) {
                line_next[slot] = x[at + p * WIDTH + threadIdx.x];
            }
            for (int i = 0; i < PARTS * WIDTH; ++i)
                sum += line_stage[stage][i] * (float)((i + threadIdx.x) & 7);
            stage ^= 1;
            {
                unsigned p = PARTS;
                int slot = 0;
                #pragma unroll
                for (; slot < 6 && p-- > 0; ++slot) {
                    line_stage[stage][p * WIDTH + threadIdx.x] = line_next[slot];
                }
                if (slot == 6)
                    for (; p-- > 0; )
                        line_stage[stage][p * WIDTH + threadIdx.x] =
                            x[at + p * WIDTH + threadIdx.x];
            }
            __syncthreads();
        }
        for (int i = 0; i < PARTS * WIDTH; ++i)
            sum += line_stage[stage][i] * (float)((i + threadIdx.x) & 7);
    }
    y[threadIdx.x] = sum;
}

// How many rows there are, the run decides: more of them than there are registers.
// pipelinify: launch asked_rows
//   sizes n=0,320,640,960,1600 rows=1,5,8,9,10
//   target n=655360 rows=10
//   grid  1
//   block WIDTH
//   let   WIDTH = 32
//   x:    in  [n + 320] random
//   y:    out [WIDTH]
//   n:    n
//   rows: rows
__global__ void asked_rows(const float *__restrict__ x, float *__restrict__ y, int n, int rows)
{
    __shared__ float line_stage[2][10][WIDTH];
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 586d4ccf
    int at = 0, stage = 0;
    if (at < n) {
        {
            int r = rows;
            while (r--)
                line_stage[0][r][threadIdx.x] = x[at + r * WIDTH + threadIdx.x];
        }
        at += rows * WIDTH;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; at < n; at += rows * WIDTH) {
            float line_next[8];
            int r = rows;
            #pragma unroll
            for (int slot = 0; slot < 8 && (r--); ++slot) {
                line_next[slot] = x[at + r * WIDTH + threadIdx.x];
            }
            for (int k = 0; k < rows; ++k)
                for (int i = 0; i < WIDTH; ++i)
                    sum += line_stage[stage][k][i] * (float)((i + k * threadIdx.x) & 7);
            stage ^= 1;
            {
                int r = rows;
                {
                    int slot = 0;
                    #pragma unroll
                    for (; slot < 8 && (r--); ++slot) {
                        line_stage[stage][r][threadIdx.x] = line_next[slot];
                    }
                    if (slot == 8)
                        while (r--)
                            line_stage[stage][r][threadIdx.x] = x[at + r * WIDTH + threadIdx.x];
                }
            }
            __syncthreads();
        }
        for (int k = 0; k < rows; ++k)
            for (int i = 0; i < WIDTH; ++i)
                sum += line_stage[stage][k][i] * (float)((i + k * threadIdx.x) & 7);
    }
    y[threadIdx.x] = sum;
}
