// A product whose inner length the grid does not name: tiles of it in shared memory,
// and the last one in part.
#include <cuda_runtime.h>
#define TILE 16

__global__ void lengths(const float *a, const float *b, float *c, int m, int n, int length)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0.f;
    for (int at = 0; at < length; at += TILE) {
        as[ty][tx] = at + tx < length ? a[row * length + at + tx] : 0.f;
        bs[ty][tx] = at + ty < length ? b[(at + ty) * n + column] : 0.f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

int main()
{
    int m = 256, n = 512, length = 1024;
    float *a, *b, *c;
    cudaMalloc(&a, m * length * sizeof(float));
    cudaMalloc(&b, length * n * sizeof(float));
    cudaMalloc(&c, m * n * sizeof(float));
    lengths<<<dim3(n / TILE, m / TILE), dim3(TILE, TILE)>>>(a, b, c, m, n, length);
    return cudaDeviceSynchronize() != cudaSuccess;
}
