#include <cuda_pipeline.h>
// Two halves of the block work in turn on one ring: each half loads what it reads.
__global__ void __launch_bounds__(128) turns(const int *in, int *out, int n)
{
    __shared__ int box[2][2][64];
    const int half = threadIdx.x / 64, t = threadIdx.x % 64;
    int acc = 0;
    int k = half;
    if (k < n)
        __pipeline_memcpy_async(&box[half][0][t], in + k * 64 + t, 4);
    __pipeline_commit();
    for (int p = 0; k < n; k += 2, p ^= 1) {
        if (k + 2 < n)
            __pipeline_memcpy_async(&box[half][p ^ 1][t], in + (k + 2) * 64 + t, 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
        acc += box[half][p][63 - t] * (k + 1);
        asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
    }
    out[threadIdx.x] = acc;
}
void run(const int *i, int *o, int n) { turns<<<1, 128>>>(i, o, n); }
