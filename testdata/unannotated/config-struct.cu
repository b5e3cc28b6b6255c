#include <cstdio>
#include <cstdlib>
#include <cstring>
struct Config { int m = 640; int n = 480; int k = 320; int reps = 3; bool verify = true; };
static Config parse(int argc, char **argv) {
  Config c;
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "-m")) c.m = atoi(argv[++i]);
    else if (!strcmp(argv[i], "-n")) c.n = atoi(argv[++i]);
    else if (!strcmp(argv[i], "-k")) c.k = atoi(argv[++i]);
  }
  return c;
}
enum { TS = 16 };
__global__ void gemm_nt(int M, int N, int K, const float *A, const float *Bt, float *C) {
  __shared__ float a[TS][TS], b[TS][TS + 1];
  int i = blockIdx.y * TS + threadIdx.y, j = blockIdx.x * TS + threadIdx.x;
  float c = 0;
  for (int k0 = 0; k0 < K; k0 += TS) {
    a[threadIdx.y][threadIdx.x] = A[i * K + k0 + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = Bt[(blockIdx.x * TS + threadIdx.y) * K + k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < TS; ++k) c += a[threadIdx.y][k] * b[threadIdx.x][k];
    __syncthreads();
  }
  C[i * N + j] = c;
}
static float *device_alloc(size_t count) {
  float *p = NULL;
  if (cudaMalloc((void **)&p, count * sizeof(float)) != cudaSuccess) { fprintf(stderr, "alloc\n"); exit(1); }
  return p;
}
static float *device_random(size_t count) {
  float *h = (float *)malloc(count * sizeof(float));
  for (size_t i = 0; i < count; ++i) h[i] = rand() % 100 / 100.f;
  float *p = device_alloc(count);
  cudaMemcpy(p, h, count * sizeof(float), cudaMemcpyHostToDevice);
  free(h);
  return p;
}
int main(int argc, char **argv) {
  Config cfg = parse(argc, argv);
  float *A = device_random((size_t)cfg.m * cfg.k), *B = device_random((size_t)cfg.n * cfg.k), *C = device_alloc((size_t)cfg.m * cfg.n);
  dim3 threads(TS, TS), blocks(cfg.n / TS, cfg.m / TS);
  for (int r = 0; r < cfg.reps; ++r) gemm_nt<<<blocks, threads>>>(cfg.m, cfg.n, cfg.k, A, B, C);
  cudaDeviceSynchronize();
  return 0;
}
