// The same product, the next tile on its way through registers.
#include <cuda_runtime.h>
#define TILE 16

__global__ void lengths(const float *a, const float *b, float *c, int m, int n, int length)
{
    __shared__ float as[2][TILE][TILE], bs[2][TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
#if FAULT == 1 /* the last tile, where it is not whole, is lost */
    const int tiles = length / TILE;
#else
    const int tiles = (length + TILE - 1) / TILE;
#endif
    float sum = 0.f, left = 0.f, right = 0.f;
    if (tiles > 0) {
        as[0][ty][tx] = tx < length ? a[row * length + tx] : 0.f;
        bs[0][ty][tx] = ty < length ? b[ty * n + column] : 0.f;
        __syncthreads();
    }
    for (int t = 0; t < tiles; ++t) {
        const int at = (t + 1) * TILE;
        if (t + 1 < tiles) {
            left = at + tx < length ? a[row * length + at + tx] : 0.f;
            right = at + ty < length ? b[(at + ty) * n + column] : 0.f;
        }
        for (int i = 0; i < TILE; ++i)
            sum += as[t % 2][ty][i] * bs[t % 2][i][tx];
        if (t + 1 < tiles) {
            as[(t + 1) % 2][ty][tx] = left;
            bs[(t + 1) % 2][ty][tx] = right;
        }
        __syncthreads();
    }
    c[row * n + column] = sum;
}
