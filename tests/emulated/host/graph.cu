#include <cuda_runtime.h>
#include <stdio.h>
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
int main()
{
    cudaStream_t s; cudaGraph_t g; cudaGraphExec_t ge;
    float *a, *o;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMallocAsync((void **)&a, 400, s); cudaMallocAsync((void **)&o, 64, s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < 3; ++i) sums<<<1, TILE, 0, s>>>(a, o, 80);
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&ge, g, NULL, NULL, 0);
    cudaGraphLaunch(ge, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(ge); cudaGraphDestroy(g);
    cudaGraphNode_t node; cudaKernelNodeParams p = {0};
    int n = 80; void *args[] = {&a, &o, &n};
    p.func = (void *)sums; p.gridDim = dim3(1); p.blockDim = dim3(TILE); p.kernelParams = args;
    cudaGraphCreate(&g, 0); cudaGraphAddKernelNode(&node, g, NULL, 0, &p);
    cudaFreeAsync(a, s);
    printf("%zu\n", sizeof p);
    return 0;
}
