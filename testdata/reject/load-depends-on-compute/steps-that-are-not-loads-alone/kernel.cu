// Steps that no load side can take ahead of compute, or not as one.
#define SPAN 64

// Where compute has come to says which branch is taken.
__global__ void by_result(const float *__restrict__ data, float *__restrict__ sums, int n)
{
    __shared__ float span[SPAN];
    int at = 0;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        span[threadIdx.x] = data[at * SPAN + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < SPAN; ++k)
            sum += span[k];
        if (sum > 100.f) {
            at += 2;
        } else {
            at += 1;
        }
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

// The two fills of a tile stand on either side of a step that is followed by another.
__global__ void between(const float *__restrict__ data, float *__restrict__ sums, int n,
                        unsigned seed)
{
    __shared__ float a[SPAN], b[SPAN];
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        a[threadIdx.x] = data[seed % 64 * SPAN + threadIdx.x];
        seed = seed * 1664525u + 1013904223u;
        b[threadIdx.x] = data[(seed >> 8) % 64 * SPAN + threadIdx.x];
        seed = seed * 1664525u + 1013904223u;
        __syncthreads();
        for (int k = 0; k < SPAN; ++k)
            sum += a[k] * b[k];
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

// The step asks memory that compute stores to.
__global__ void by_memory(const float *__restrict__ data, int *flags, float *__restrict__ sums,
                          int n)
{
    __shared__ float span[SPAN];
    int at = 0;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        span[threadIdx.x] = data[(at & 63) * SPAN + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < SPAN; ++k)
            sum += span[k];
        flags[i] = sum > 3.f;
        at ^= flags[n - i];
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

// Each thread steps otherwise, and with that so often.
__global__ void ragged(const float *__restrict__ data, float *__restrict__ sums, int n)
{
    __shared__ float span[SPAN];
    float sum = 0.f;
    for (int at = n + threadIdx.x; at; at >>= 1) {
        span[threadIdx.x] = data[at * SPAN + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < SPAN; ++k)
            sum += span[k];
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
