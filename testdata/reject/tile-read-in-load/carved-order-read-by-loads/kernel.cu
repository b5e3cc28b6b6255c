// The order in which rows are visited lies behind the tile, in the same block of shared memory: nothing says that the
// tile ends where it begins.
#include <cuda_runtime.h>

__global__ void visit(const float *__restrict__ x, const int *__restrict__ order, float *__restrict__ out, int n,
                      int width)
{
    extern __shared__ float smem[];
    float *tile = smem;
    int *row = reinterpret_cast<int *>(tile + width);
    const int t = threadIdx.x;
    float sum = 0.f;

    for (int i = t; i < n; i += width)
        row[i] = order[i];
    __syncthreads();

    // ---- rows in turn

    for (int i = 0; i < n; ++i) {
        tile[t] = x[row[i] * width + t];
        __syncthreads();
        for (int k = 0; k < width; ++k)
            sum += tile[k] * (float)(k ^ t);
        __syncthreads();
    }
    out[t] = sum;
}
