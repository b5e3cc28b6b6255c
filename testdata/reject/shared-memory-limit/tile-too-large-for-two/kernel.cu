#include <cuda_fp16.h>

// 40 KiB of floats from halves: a second buffer passes 48 KiB, and 64 threads
// would have to stage 160 values each.
__global__ void __launch_bounds__(64)
large_codebook(const __half *__restrict__ codes, const float *__restrict__ x,
               float *__restrict__ dist, int pages)
{
    __shared__ float page[160][64];
    const int t = threadIdx.x;
    const float v = x[blockIdx.x * 64 + t];
    float best = 3.0e38f;
    for (int p = 0; p < pages; ++p) {
        for (int r = 0; r < 160; ++r)
            page[r][t] = __half2float(codes[(p * 160 + r) * 64 + t]);
        __syncthreads();
        for (int r = 0; r < 160; ++r)
            best = fminf(best, fabsf(page[r][63 - t] - v));
        __syncthreads();
    }
    dist[blockIdx.x * 64 + t] = best;
}
