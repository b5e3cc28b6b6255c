// A barrier by assembly that is none of the whole block, or may be none.
__global__ void named(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    if (threadIdx.x < 64)
        for (int i = 0; i < n; i += 64) {
            s[threadIdx.x] = a[i + threadIdx.x];
            asm volatile("bar.sync 1, 64;" ::: "memory");
            for (int j = 0; j < 64; ++j) sum += s[j] * j;
            asm volatile("bar.sync 1, 64;" ::: "memory");
        }
    out[threadIdx.x] = sum;
}

// The other warps have left for a loop of their own.
__global__ void left(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    if (threadIdx.x >= 64) {
        out[threadIdx.x] = a[threadIdx.x];
        return;
    }
    for (int i = 0; i < n; i += 64) {
        s[threadIdx.x] = a[i + threadIdx.x];
        asm volatile("bar.sync 1, 64;" ::: "memory");
        for (int j = 0; j < 64; ++j) sum += s[j] * j;
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    out[threadIdx.x] = sum;
}

__global__ void predicated(const float *__restrict__ a, float *__restrict__ out, int n, int all)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int i = 0; i < n; i += 64) {
        s[threadIdx.x] = a[i + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j) sum += s[j] * j;
        asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p bar.sync 0; }" ::"r"(all) : "memory");
    }
    out[threadIdx.x] = sum;
}
