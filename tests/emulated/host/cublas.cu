#include <cublas_v2.h>
#include <cstdio>
#include <cstdlib>
#define CUBLAS_CHECK(x) do { cublasStatus_t st = (x); if (st != CUBLAS_STATUS_SUCCESS) { printf("cublas %d at %d\n", (int)st, __LINE__); exit(1); } } while (0)
static const char *name_of(cublasStatus_t s)
{
    switch (s) {
    case CUBLAS_STATUS_SUCCESS: return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "not initialized";
    default: return "unknown";
    }
}
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
static void reference(cublasHandle_t h, const float *a, const float *x, float *y, int n)
{
    const float one = 1.f, zero = 0.f;
    CUBLAS_CHECK(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, n, &one, a, n, x, n, &zero, y, n));
}
struct Blas { cublasHandle_t h; Blas() { CUBLAS_CHECK(cublasCreate(&h)); } ~Blas() { cublasDestroy(h); } };
int main()
{
    Blas b; float *a, *o;
    cudaMalloc(&a, 400); cudaMalloc(&o, 400);
    reference(b.h, a, a, o, 4);
    sums<<<1, TILE>>>(a, o, 80);
    puts(name_of(CUBLAS_STATUS_SUCCESS));
    cublasSetMathMode(b.h, CUBLAS_TF32_TENSOR_OP_MATH);
    return 0;
}
