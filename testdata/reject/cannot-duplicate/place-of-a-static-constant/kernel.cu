// Where a static constant lies is compared from one iteration to the next: two copies of the text would have two.
__global__ void k(const float *__restrict__ a, const float **__restrict__ o, int n)
{
    __shared__ float s[64];
    const float *last = nullptr;
    int same = 0;
    for (int k = 0; k < n; ++k) {
        static constexpr float t[2] = {1, 2};
        const float *p = t;
        same += p == last;
        last = p;
        s[threadIdx.x] = a[k * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            same += s[i] > 0;
        __syncthreads();
    }
    o[threadIdx.x] = last + same;
}
