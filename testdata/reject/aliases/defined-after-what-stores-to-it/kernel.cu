// One variable, declared where a function stores to it, and defined where the kernel reads it (as with nvcc -rdc=true).
extern __device__ int origin;
__device__ void shift(float by) { origin = by > 2.f ? 2 : 1; }
__device__ int origin = 0;

__device__ void turn(float by)
{
    extern __device__ int angle[];
    angle[threadIdx.x & 1] = by > 2.f ? 2 : 1;
}
__device__ int angle[2];

__global__ void of_block(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[(t + angle[0]) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        if (threadIdx.x == 0)
            turn(s[0]);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void of_file(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[(t + origin) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        if (threadIdx.x == 0)
            shift(s[0]);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
