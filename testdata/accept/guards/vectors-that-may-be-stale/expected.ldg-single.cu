// Vectors under a guard of which compute reads more than was written: a row too many, a vector's rest, rows that run into each other.
#include <cuda_runtime.h>
#define ROWS 16
#define COLS 32

// pipelinify: launch a_row_more
//   sizes    n=16,17,33,40
//   target   n=4096
//   grid     1
//   block    128
//   a:       in  [n * 32] random
//   out:     out [128]
//   n:       n
__global__ void __launch_bounds__(128) a_row_more(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float tile[ROWS][COLS];
    const int r = threadIdx.x / 8, c = threadIdx.x % 8 * 4;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 50dcdd65
    int n0 = 0, n0_tile = n0;
    if (n0 < n) {
        auto compute_tile = [&]() {
            const int valid = min(ROWS, n - n0_tile + 1);
            for (int j = 0; j < valid; ++j)
                sum += tile[j][threadIdx.x % COLS] * j;
        };
        if (n0 + r < n)
            *(float4 *)&tile[r][c] = *(const float4 *)&a[(n0 + r) * COLS + c];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (n0 += ROWS; n0 < n; n0 += ROWS) {
            float4 tile_next;
            if (n0 + r < n)
                tile_next = *(const float4 *)&a[(n0 + r) * COLS + c];
            compute_tile();
            n0_tile += ROWS;
            __syncthreads();
            if (n0 + r < n)
                *(float4 *)&tile[r][c] = tile_next;
            __syncthreads();
        }
        compute_tile();
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch rest_of_a_vector
//   sizes    n=128,130,257,259
//   target   n=4096
//   grid     1
//   block    32
//   a:       in  [n] random
//   out:     out [32]
//   n:       n
__global__ void __launch_bounds__(32) rest_of_a_vector(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float tile[128];
    const int c = threadIdx.x * 4;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source ad02fff3
    int n0 = 0, n0_tile = n0;
    if (n0 < n) {
        if (n0 + c + 3 < n)
            *(float4 *)&tile[c] = *(const float4 *)&a[n0 + c];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (n0 += 128; n0 < n; n0 += 128) {
            float4 tile_next;
            if (n0 + c + 3 < n)
                tile_next = *(const float4 *)&a[n0 + c];
            for (int i = 0; i < 128 && n0_tile + i < n; ++i)
                sum += tile[i] * (i ^ threadIdx.x);
            n0_tile += 128;
            __syncthreads();
            if (n0 + c + 3 < n)
                *(float4 *)&tile[c] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 128 && n0_tile + i < n; ++i)
            sum += tile[i] * (i ^ threadIdx.x);
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch into_the_next_row
//   sizes    n=16,17,33,40
//   target   n=4096
//   grid     1
//   block    128
//   a:       in  [n * 32 + 4] random
//   out:     out [128]
//   n:       n
__global__ void __launch_bounds__(128) into_the_next_row(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float tile[ROWS + 1][COLS - 4];
    const int r = threadIdx.x / 8, c = threadIdx.x % 8 * 4;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 6fb03f4a
    int n0 = 0, n0_tile = n0;
    if (n0 < n) {
        auto compute_tile = [&]() {
            const int valid = min(ROWS, n - n0_tile);
            for (int j = 0; j < valid; ++j)
                sum += tile[j][threadIdx.x % (COLS - 4)] * j;
        };
        if (n0 + r < n && (c < COLS - 4 || n0 + r == n - 1))
            *(float4 *)&tile[r][c] = *(const float4 *)&a[(n0 + r) * COLS + c];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (n0 += ROWS; n0 < n; n0 += ROWS) {
            float4 tile_next;
            if (n0 + r < n && (c < COLS - 4 || n0 + r == n - 1))
                tile_next = *(const float4 *)&a[(n0 + r) * COLS + c];
            compute_tile();
            n0_tile += ROWS;
            __syncthreads();
            if (n0 + r < n && (c < COLS - 4 || n0 + r == n - 1))
                *(float4 *)&tile[r][c] = tile_next;
            __syncthreads();
        }
        compute_tile();
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch vectors_read_more
//   sizes    n=128,130,257,259
//   target   n=4096
//   grid     1
//   block    128
//   a:       in  [n] random
//   out:     out [128]
//   n:       n
__global__ void __launch_bounds__(128) vectors_read_more(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float tile[128];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 1c671195
    int n0 = 0, n0_tile = n0;
    if (n0 < n) {
        auto compute_tile = [&]() {
            for (int i = 0; i < 128 && n0_tile + i < n; i += 4) {
                const float4 v = *(const float4 *)&tile[i];
                sum += v.x + 2 * v.y + 3 * v.z + v.w * i;
            }
        };
        if (n0 + threadIdx.x < n)
            tile[threadIdx.x] = a[n0 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (n0 += 128; n0 < n; n0 += 128) {
            float tile_next;
            if (n0 + threadIdx.x < n)
                tile_next = a[n0 + threadIdx.x];
            compute_tile();
            n0_tile += 128;
            __syncthreads();
            if (n0 + threadIdx.x < n)
                tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        compute_tile();
    }
    out[threadIdx.x] = sum;
}
