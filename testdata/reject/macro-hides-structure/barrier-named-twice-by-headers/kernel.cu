// A header says twice what the barrier is: which of the two a use means hangs on where it stands.
#include "sync.h"

__global__ void dot_rows(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[128];
    float sum = 0.f;
    for (int k = 0; k < n; k += 128) {
        tile[threadIdx.x] = x[k + threadIdx.x];
        TILE_SYNC();
        for (int i = 0; i < 128; ++i)
            sum += tile[i] * a[(size_t)(k + i) * 128 + threadIdx.x];
        TILE_SYNC();
    }
    y[threadIdx.x] = sum;
}
