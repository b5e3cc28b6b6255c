#include <cuda_pipeline.h>
// Everything by macros.
#define T 32
#define LOAD(dst, t) __pipeline_memcpy_async(&dst[ty][tx], &A[(size_t)(by * T + ty) * K + (t) * T + tx], sizeof(float))
#define COMMIT() __pipeline_commit()
#define WAIT(n) do { __pipeline_wait_prior(n); __syncthreads(); } while (0)
#define NEXT(s) ((s) ^ 1)
#define USE(buf) for (int k = 0; k < T; ++k) acc = fmaf(buf[ty][k], x[k], acc)
__global__ void rowmax(const float *A, const float *x, float *y, int K)
{
    __shared__ float buf[2][T][T + 1];
    const int tx = threadIdx.x, ty = threadIdx.y, by = blockIdx.x;
    float acc = 0;
    int s = 0, n = K / T;
    if (n) LOAD(buf[0], 0);
    COMMIT();
    for (int t = 0; t < n; ++t, s = NEXT(s)) {
        if (t + 1 < n) LOAD(buf[NEXT(s)], t + 1);
        COMMIT();
        WAIT(1);
        USE(buf[s]);
        __syncthreads();
    }
    if (tx == 0) y[by * T + ty] = acc;
}
void go(const float *a, const float *x, float *y, int m, int k) { rowmax<<<m / T, dim3(T, T)>>>(a, x, y, k); }
