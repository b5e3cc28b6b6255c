#include <cstdio>
#define TILE 16

__global__ void mm_traced(const float *__restrict__ A, const float *__restrict__ B,
                          float *__restrict__ C, int n)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * TILE + ty, c = blockIdx.x * TILE + tx;
    float acc = 0.f;
    for (int t = 0; t * TILE < n; ++t) {
        if (tx == 0 && ty == 0)
            printf("block %d,%d loads tile %d\n", blockIdx.x, blockIdx.y, t);
        a[ty][tx] = A[r * n + t * TILE + tx];
        b[ty][tx] = B[(t * TILE + ty) * n + c];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) acc += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    C[r * n + c] = acc;
}
