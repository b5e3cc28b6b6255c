#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#define CUDA_CHECK(expr) do { cudaError_t err__ = (expr); if (err__ != cudaSuccess) { \
    fprintf(stderr, "%s:%d: %s failed: %s (%d)\n", __FILE__, __LINE__, #expr, cudaGetErrorString(err__), (int)err__); \
    exit(EXIT_FAILURE); } } while (0)
#define CHECK_LAST() check_last(__FILE__, __LINE__)
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        if (abort) exit(code);
    }
}
static inline void check_last(const char *file, int line) { cudaError_t e = cudaGetLastError(); if (e) { fprintf(stderr, "%s:%d %s\n", file, line, cudaGetErrorName(e)); abort(); } }
// pipelinify: launch sums
//   sizes n=0,16,24,80
//   grid 1
//   block 16
//   a: in [n + 1]
//   o: out [16]
//   n: n
#define TILE 16
__global__ void sums(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[TILE];
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        s[threadIdx.x] = t + threadIdx.x < n ? a[t + threadIdx.x] : 0.f;
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum += s[i] * (i + 1);
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}
int main(void)
{
    float *a = NULL, *b = NULL;
    gpuErrchk(cudaMallocManaged(&a, 80 * sizeof(float)));
    gpuErrchk(cudaMallocManaged(&b, 80 * sizeof(float)));
    for (int i = 0; i < 80; i++) a[i] = (float)rand() / RAND_MAX;
    sums<<<1, TILE>>>(a, b, 80);
    CHECK_LAST();
    CUDA_CHECK(cudaDeviceSynchronize());
    int dev; cudaDeviceProp prop;
    CUDA_CHECK(cudaGetDevice(&dev));
    CUDA_CHECK(cudaGetDeviceProperties(&prop, dev));
    printf("%s sm_%d%d %zu\n", prop.name, prop.major, prop.minor, prop.totalGlobalMem);
    assert(b[0] == b[0]);
    CUDA_CHECK(cudaFree(a));
    return EXIT_SUCCESS;
}
