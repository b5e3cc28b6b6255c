// All threads wait at a barrier of the second warp's number, at which the first one has
// arrived once ahead of the loop: each wait of the first warp is one ahead.
__global__ void ahead(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    if (threadIdx.x < 32)
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    for (int i = 0; i < n; i += 64) {
        s[threadIdx.x] = a[i + threadIdx.x];
        asm volatile("bar.sync 1, 64;" ::: "memory");
        for (int j = 0; j < 64; ++j) sum += s[j] * j;
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    out[threadIdx.x] = sum;
}
