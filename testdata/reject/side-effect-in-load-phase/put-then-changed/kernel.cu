// Helpers put what is in registers into the tile. Where that changes in between each is read as its
// stores; where a helper does more than to store the loop is refused.
#include <cuda_runtime.h>

#define T 32

__device__ int counted_puts;

__device__ __forceinline__ void put(float (*tile)[T + 1], int row, int col, float2 v)
{
    tile[col + 0][row] = v.x;
    tile[col + 1][row] = v.y;
}

__device__ __forceinline__ void put_counted(float (*tile)[T + 1], int row, int col, float2 v)
{
    tile[col + 0][row] = v.x;
    tile[col + 1][row] = v.y;
    ++counted_puts;
}

__global__ void changed(const float *__restrict__ a, float *__restrict__ c, int k)
{
    __shared__ float rows[T][T + 1];
    const int row = threadIdx.y, col = threadIdx.x * 2;
    float sum = 0.f;
    float2 kept;

    for (int k0 = 0; k0 < k; k0 += T) {
        kept = *(const float2 *)(a + row * k + k0 + col);
        put(rows, row, col, kept);
        kept.x *= 0.5f;
        kept.y *= 0.5f;
        put(rows, row + T / 2, col, kept);
        __syncthreads();
        for (int p = 0; p < T; ++p)
            sum += rows[p][row] * rows[p][col];
        __syncthreads();
    }
    c[row * T + col] = sum;
}

__global__ void counted(const float *__restrict__ a, float *__restrict__ c, int k)
{
    __shared__ float rows[T][T + 1];
    const int row = threadIdx.y, col = threadIdx.x * 2;
    float sum = 0.f;

    for (int k0 = 0; k0 < k; k0 += T) {
        float2 v = *(const float2 *)(a + row * k + k0 + col);
        float2 w = *(const float2 *)(a + (row + T / 2) * k + k0 + col);
        put_counted(rows, row, col, v);
        put_counted(rows, row + T / 2, col, w);
        __syncthreads();
        for (int p = 0; p < T; ++p)
            sum += rows[p][row] * rows[p][col];
        __syncthreads();
    }
    c[row * T + col] = sum;
}
