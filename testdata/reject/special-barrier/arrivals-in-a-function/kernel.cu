// All threads wait at a barrier of a number at which the first warp may have signed in
// ahead of the loop: what the function does that it calls is not in sight.
extern __device__ void sign_in(int barrier);

__global__ void ahead(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    if (threadIdx.x < 32)
        sign_in(1);
    for (int i = 0; i < n; i += 64) {
        s[threadIdx.x] = a[i + threadIdx.x];
        asm volatile("bar.sync 1, 64;" ::: "memory");
        for (int j = 0; j < 64; ++j) sum += s[j] * j;
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    out[threadIdx.x] = sum;
}
