#include <vector>
#define T 16
__global__ void batched(float **A, float **B, float **C, int n) {
  __shared__ float a[T][T], b[T][T];
  const float *pA = A[blockIdx.z], *pB = B[blockIdx.z];
  int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
  float s = 0;
  for (int t = 0; t < n; t += T) {
    a[threadIdx.y][threadIdx.x] = pA[r * n + t + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = pB[(t + threadIdx.y) * n + c];
    __syncthreads();
    for (int k = 0; k < T; k++) s += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  C[blockIdx.z][r * n + c] = s;
}
int main() {
  int n = 64, batch = 4;
  std::vector<float*> a(batch), b(batch), c(batch);
  for (int i = 0; i < batch; i++) { cudaMalloc(&a[i], n * n * 4); cudaMalloc(&b[i], n * n * 4); cudaMalloc(&c[i], n * n * 4); }
  float **da, **db, **dc;
  cudaMalloc(&da, batch * sizeof(float*)); cudaMalloc(&db, batch * sizeof(float*)); cudaMalloc(&dc, batch * sizeof(float*));
  cudaMemcpy(da, a.data(), batch * sizeof(float*), cudaMemcpyHostToDevice);
  batched<<<dim3(n / T, n / T, batch), dim3(T, T)>>>(da, db, dc, n);
}
