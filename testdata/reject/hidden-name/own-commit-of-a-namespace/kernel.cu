// Asynchronous copies are committed by '__pipeline_commit', which is another one here: one
// that does nothing, of a namespace, of a class, and of a macro.
#include <cuda_runtime.h>

#define ROWS 64

namespace tracing {

// For builds that copy by hand.
__device__ inline void __pipeline_commit() {}

__global__ void totals(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float rows[ROWS];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        rows[t] = x[k * ROWS + t];
        __syncthreads();
        for (int j = 0; j < ROWS; ++j)
            sum += rows[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

}

struct Reader {
    const float *x;
    __device__ static void __pipeline_wait_prior(int) {}
    __device__ float total(int tiles) const
    {
        __shared__ float rows[ROWS];
        const int t = threadIdx.x;
        float sum = 0.0f;
        for (int k = 0; k < tiles; ++k) {
            rows[t] = x[k * ROWS + t];
            __syncthreads();
            for (int j = 0; j < ROWS; ++j)
                sum += rows[j] * (j ^ t);
            __syncthreads();
        }
        return sum;
    }
};

__global__ void read(const float *x, float *y, int tiles)
{
    y[threadIdx.x] = Reader{x}.total(tiles);
}
