// Which array is written is picked from a local table, from a union, and by integer arithmetic.
__global__ void ping_table(float *a, float *__restrict__ b, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    float *to[2] = {a, b};
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = a[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += tile[k];
        to[(i >> 6) & 1][64 + threadIdx.x] = sum;
        __syncthreads();
    }
    b[threadIdx.x] = sum;
}

union Either {
    float *w;
    const float *r;
};

__global__ void ping_union(float *a, float *__restrict__ b, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    Either e;
    e.w = a;
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = e.r[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += tile[k];
        a[i + 64 + threadIdx.x] = sum;
        __syncthreads();
    }
    b[threadIdx.x] = sum;
}

__global__ void ping_integer(float *a, float *__restrict__ b, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    const unsigned long long at = (unsigned long long)(a + 64);
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = a[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += tile[k];
        asm volatile("st.global.f32 [%0], %1;" ::"l"(at + 4 * (i + threadIdx.x)), "f"(sum));
        __syncthreads();
    }
    b[threadIdx.x] = sum;
}

__global__ void ping_memcpy(float *__restrict__ a, float *__restrict__ b, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = a[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += tile[k];
        memcpy(a + i + 64 + threadIdx.x, &sum, sizeof sum);
        __syncthreads();
    }
    b[threadIdx.x] = sum;
}
