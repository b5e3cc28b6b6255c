#include <cuda_runtime.h>

// The loader remembers where it is: each call moves it on, however often it is made.
struct RowWalker {
    const float *next;
    int ld;

    __device__ void load(float (&tile)[16][16])
    {
        tile[threadIdx.y][threadIdx.x] = next[threadIdx.y * ld + threadIdx.x];
        next += 16 * (1 + (ld & 1));
        ld ^= 1;
    }
};

__global__ void column_products(const float *A, const float *x, float *__restrict__ y, int K, int ld)
{
    __shared__ float tile[16][16];
    RowWalker walker = {A, ld};
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        walker.load(tile);
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            acc += tile[threadIdx.y][k] * x[k0 + k];
        __syncthreads();
    }
    y[threadIdx.y] = acc;
}
