// A macro that means one thing for the load and another for compute.
__global__ void smooth(const float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
#define OFFSET 0
        row[t] = from[i * 64 + t + OFFSET];
#undef OFFSET
#define OFFSET 1
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t] + OFFSET;
#undef OFFSET
        __syncthreads();
    }
    to[t] = sum;
}
