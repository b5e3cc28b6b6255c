// Warp 0 copies for all and signals a named barrier; the other three read.
#include <cuda_pipeline.h>

__device__ __forceinline__ void meet(int name, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(name), "r"(threads) : "memory");
}

__global__ __launch_bounds__(128) void turns(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float slot[2][96];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0.0f;
    for (int k = 0; k <= n; ++k) {
        if (warp == 0) {
            if (k < n) {
                for (int i = lane; i < 96; i += 32)
                    __pipeline_memcpy_async(&slot[k & 1][i], &x[k * 96 + i], sizeof(float));
                __pipeline_commit();
                __pipeline_wait_prior(0);
            }
        } else if (k > 0) {
            sum += slot[(k - 1) & 1][95 - (threadIdx.x - 32)];
        }
        meet(1, 128);
    }
    if (warp > 0)
        y[threadIdx.x - 32] = sum;
}

void run(const float *x, float *y, int n) { turns<<<1, 128>>>(x, y, n); }
