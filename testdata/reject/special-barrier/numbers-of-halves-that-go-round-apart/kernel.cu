// Halves of the block wait by numbers of their own, and go round as often as they like: one barrier
// of all threads would wait for those that have left.
__global__ void strided(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[128];
    float sum = 0;
    const int half = threadIdx.x / 64;
    for (int k = half; k < n; k += 2) {
        s[threadIdx.x] = a[k * 64 + threadIdx.x % 64];
        asm volatile("bar.sync %0, 64;" : : "r"(half + 1) : "memory");
        sum += s[threadIdx.x ^ 1];
        asm volatile("bar.sync %0, 64;" : : "r"(half + 1) : "memory");
    }
    o[threadIdx.x] = sum;
}

__global__ void counted(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[128];
    float sum = 0;
    const int half = threadIdx.x / 64;
    const int m = half ? n : n / 2;
    if (threadIdx.x >= 128) return;
    for (int k = 0; k < m; ++k) {
        s[threadIdx.x] = a[k * 64 + threadIdx.x % 64];
        asm volatile("bar.sync %0, 64;" : : "r"(half + 1) : "memory");
        sum += s[threadIdx.x ^ 1];
        asm volatile("bar.sync %0, 64;" : : "r"(half + 1) : "memory");
    }
    o[threadIdx.x] = sum;
}

__global__ void set_by_a_branch(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[128];
    float sum = 0;
    const int half = threadIdx.x / 64;
    int m = n;
    if (half) m = n / 2;
    for (int k = 0; k < m; ++k) {
        s[threadIdx.x] = a[k * 64 + threadIdx.x % 64];
        asm volatile("bar.sync 1, 64;" ::: "memory");
        sum += s[threadIdx.x ^ 1];
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    o[threadIdx.x] = sum;
}

__global__ void counts_in_memory(const float *__restrict__ a, float *__restrict__ o, const int *__restrict__ c)
{
    __shared__ float s[128];
    float sum = 0;
    for (int k = 0; k < c[threadIdx.x / 64]; ++k) {
        s[threadIdx.x] = a[k * 64 + threadIdx.x % 64];
        asm volatile("bar.sync %0, 64;" ::"r"(threadIdx.x / 64 + 1): "memory");
        sum += s[threadIdx.x ^ 1];
        asm volatile("bar.sync %0, 64;" ::"r"(threadIdx.x / 64 + 1): "memory");
    }
    o[threadIdx.x] = sum;
}
