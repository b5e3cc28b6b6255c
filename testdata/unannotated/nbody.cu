#include <stdio.h>
#include <stdlib.h>
#define BLOCK 256
#define EPS2 1e-9f
__global__ void forces(const float4 *pos, float4 *acc, int n) {
  __shared__ float4 sh[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = pos[i];
  float ax = 0, ay = 0, az = 0;
  for (int tile = 0; tile < gridDim.x; tile++) {
    sh[threadIdx.x] = pos[tile * BLOCK + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < BLOCK; j++) {
      float dx = sh[j].x - p.x, dy = sh[j].y - p.y, dz = sh[j].z - p.z;
      float d = dx * dx + dy * dy + dz * dz + EPS2;
      float s = sh[j].w / (d * d);
      ax += dx * s; ay += dy * s; az += dz * s;
    }
    __syncthreads();
  }
  acc[i] = make_float4(ax, ay, az, 0);
}
int main(int argc, char **argv) {
  int nBodies = 8192;
  int bytes = nBodies * sizeof(float4);
  float4 *h = (float4 *)malloc(bytes);
  for (int i = 0; i < nBodies; i++) h[i] = make_float4(drand48(), drand48(), drand48(), 1);
  float4 *dp, *da;
  cudaMalloc(&dp, bytes); cudaMalloc(&da, bytes);
  cudaMemcpy(dp, h, bytes, cudaMemcpyHostToDevice);
  int nBlocks = (nBodies + BLOCK - 1) / BLOCK;
  for (int iter = 1; iter <= 10; iter++) {
    forces<<<nBlocks, BLOCK>>>(dp, da, nBodies);
    cudaDeviceSynchronize();
  }
  cudaMemcpy(h, da, bytes, cudaMemcpyDeviceToHost);
  printf("%f\n", h[0].x);
}
