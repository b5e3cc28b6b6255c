#include <cooperative_groups.h>
#include <stdio.h>
namespace cg = cooperative_groups;
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
__global__ void grid_wide(float *p, int n) { cg::grid_group g = cg::this_grid(); for (int i = g.thread_rank(); i < n; i += g.size()) p[i] *= 2; g.sync(); if (g.thread_rank() == 0) p[0] += 1; }
int main()
{
    float *a, *o; int n = 80, blocks = 0, dev = 0, coop = 0;
    cudaDeviceGetAttribute(&coop, cudaDevAttrCooperativeLaunch, dev);
    cudaMalloc(&a, 400); cudaMalloc(&o, 64);
    void *args[] = {&a, &o, &n}, *args2[] = {&a, &n};
    cudaLaunchCooperativeKernel((void *)sums, dim3(1), dim3(TILE), args, 0, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, grid_wide, 128, 0);
    cudaLaunchCooperativeKernel((const void *)grid_wide, blocks, 128, args2, 0, nullptr);
    int mg, bs; cudaOccupancyMaxPotentialBlockSize(&mg, &bs, sums, 0, 0);
    printf("%d %d %zu\n", mg, bs, sizeof args);
    return coop ? 0 : 1;
}
