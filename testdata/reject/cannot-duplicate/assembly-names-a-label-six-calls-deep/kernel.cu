// A label stands once in a program, however deep the call that brings it.
__device__ float l6(float v) { float r; asm volatile("mov.f32 %0, %1;\nHERE:\n" : "=f"(r) : "f"(v)); return r; }
__device__ float l5(float v) { return l6(v); }
__device__ float l4(float v) { return l5(v); }
__device__ float l3(float v) { return l4(v); }
__device__ float l2(float v) { return l3(v); }
__device__ float l1(float v) { return l2(v); }
__device__ float l0(float v) { return l1(v); }
__global__ void k(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += l0(tile[j]);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
void go(float *x, float *y) { k<<<1, 64>>>(x, y, 3); }
