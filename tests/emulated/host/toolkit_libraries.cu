#include <curand.h>
#include <curand_kernel.h>
#include <cuda_fp16.h>
#include <cufft.h>
#include <cusparse.h>
#include <cusolverDn.h>
#include <nvToolsExt.h>
#include <cuda_profiler_api.h>
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
static void fill(float *d, size_t n) { curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT); curandSetPseudoRandomGeneratorSeed(g, 7ULL); curandGenerateUniform(g, d, n); curandDestroyGenerator(g); }
struct Handles { cusparseHandle_t sparse; cusolverDnHandle_t solver; cufftHandle plan; };
static cufftResult plan(cufftHandle *p) { return cufftPlan1d(p, 80, CUFFT_C2C, 1); }
int main()
{
    float *a, *o; Handles h;
    cudaMalloc(&a, 400); cudaMalloc(&o, 64); fill(a, 80);
    nvtxRangePushA("sums"); cudaProfilerStart();
    sums<<<1, TILE>>>(a, o, 80);
    cudaProfilerStop(); nvtxRangePop();
    cusparseCreate(&h.sparse); cusolverDnCreate(&h.solver); plan(&h.plan);
}
