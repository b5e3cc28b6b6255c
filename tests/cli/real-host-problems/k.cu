// What clang makes of host code that it cannot know in full is no obstacle: one
// message names a lambda by its place, which the rewrite moves.
template <class F> void repeat(int times, F f);

__global__ void k(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[16];
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        s[threadIdx.x] = a[t + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += s[i];
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

void run(const float *a, float *o, int n)
{
    repeat(4, [&] { k<<<1, 16>>>(a, o, n); });
    repeat(3, [&](int i) { k<<<1, 16>>>(a + i, o, n); });
}
