// All threads wait at a barrier of a number at which the first warp has signed in ahead
// of the loop, by an instruction that a macro names.
#define SIGN_IN "bar.arr" "ive 1, 64;"
__global__ void ahead(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    if (threadIdx.x < 32)
        asm volatile(SIGN_IN ::: "memory");
    for (int i = 0; i < n; i += 64) {
        s[threadIdx.x] = a[i + threadIdx.x];
        asm volatile("bar.sync 1, 64;" ::: "memory");
        for (int j = 0; j < 64; ++j) sum += s[j] * j;
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    out[threadIdx.x] = sum;
}
