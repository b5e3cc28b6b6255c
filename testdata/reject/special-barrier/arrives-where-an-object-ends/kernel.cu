// Threads arrive at a barrier of its number where an object ends, and do not wait: a barrier of the whole block would not count them.
struct Turn {
    __device__ ~Turn() { asm volatile("bar.arrive 1, 128;" ::: "memory"); }
};

__global__ void __launch_bounds__(128)
consumers(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    float sum = 0.0f;
    if (n < 0) {
        Turn last;
        out[threadIdx.x] = 0.0f;
    }
    for (int k = 0; k < n; ++k) {
        if (threadIdx.x < 64)
            s[threadIdx.x] = a[k * 64 + threadIdx.x];
        asm volatile("bar.sync 1, 128;" ::: "memory");
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (i ^ threadIdx.x);
        asm volatile("bar.sync 1, 128;" ::: "memory");
    }
    out[threadIdx.x] = sum;
}
