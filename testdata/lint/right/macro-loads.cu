#include <cuda_pipeline.h>
// Everything by macros, a tile in two halves, do-while.
#define SLOT(k) (((k) & 1) * 256)
#define LOAD_HALF(k, h) __pipeline_memcpy_async(&sm[SLOT(k) + (h) * 128 + tid * 2], &g[(k) * 256 + (h) * 128 + tid * 2], 8)
#define LOAD(k) do { LOAD_HALF(k, 0); LOAD_HALF(k, 1); __pipeline_commit(); } while (0)
#define USE(k) (sm[SLOT(k) + 255 - tid] + sm[SLOT(k) + tid * 3])
__global__ void macros(const float *g, float *o, int n)
{
    __shared__ __align__(8) float sm[512];
    const int tid = threadIdx.x;
    float r = 0;
    int k = 0;
    if (n <= 0)
        return;
    LOAD(0);
    do {
        if (k + 1 < n) {
            LOAD(k + 1);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        r += USE(k);
        __syncthreads();
    } while (++k < n);
    o[tid] = r;
}
void run(const float *g, float *o, int n) { macros<<<1, 64>>>(g, o, n); }
