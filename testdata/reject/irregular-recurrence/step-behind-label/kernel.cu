// A shared step that is set anew behind the loop, which a jump leads back to: no
// barrier stands between that and the loop's first.
#include <cuda_runtime.h>

#define TILE 64

__global__ void coarser_and_coarser(const float *__restrict__ in, float *__restrict__ energy,
                                    int n, int levels)
{
    __shared__ float part[TILE];
    __shared__ int step;
    int level = 0;
    if (threadIdx.x == 0)
        step = TILE;
    __syncthreads();
next_level:
    float sum = 0.0f;
    for (int i = 0; i < n; i += step) {
        part[threadIdx.x] = i + threadIdx.x < n ? in[i + threadIdx.x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += part[k] * part[k ^ threadIdx.x];
        __syncthreads();
    }
    energy[level * TILE + threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        step = TILE << (level + 1);
    if (++level < levels)
        goto next_level;
}
