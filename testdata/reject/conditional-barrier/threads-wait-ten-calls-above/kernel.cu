// The other half of the block waits at the loop's barriers ten calls above it.
__device__ float f9(const float *__restrict__ x, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        tile[threadIdx.x & 63] = x[64 * k + (threadIdx.x & 63)];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j];
        __syncthreads();
    }
    return sum;
}
__device__ float f8(const float *__restrict__ x, int n) { return f9(x, n); }
__device__ float f7(const float *__restrict__ x, int n) { return f8(x, n); }
__device__ float f6(const float *__restrict__ x, int n) { return f7(x, n); }
__device__ float f5(const float *__restrict__ x, int n) { return f6(x, n); }
__device__ float f4(const float *__restrict__ x, int n) { return f5(x, n); }
__device__ float f3(const float *__restrict__ x, int n) { return f4(x, n); }
__device__ float f2(const float *__restrict__ x, int n) { return f3(x, n); }
__device__ float f1(const float *__restrict__ x, int n) { return f2(x, n); }
__device__ float f0(const float *__restrict__ x, int n) { return f1(x, n); }
__global__ void b(const float *x, float *y, int n) {
    if (threadIdx.x < 64) y[threadIdx.x] = f0(x, n);
    else for (int k = 0; k < n; ++k) { __syncthreads(); y[threadIdx.x] += 1; __syncthreads(); }
}
void go(float *x, float *y) { b<<<1, 128>>>(x, y, 3); }
