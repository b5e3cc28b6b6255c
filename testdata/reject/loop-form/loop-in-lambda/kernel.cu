// The tile loop is the body of a lambda, which the kernel calls for two ranges.
#define SPAN 64

__global__ void two_ranges(const float *__restrict__ x, const float *__restrict__ y,
                           float *__restrict__ out, int half, int n)
{
    __shared__ float span[SPAN];
    const float own = y[threadIdx.x];
    auto sum_of = [&](int from, int to) {
        float sum = 0.0f;
        for (int at = from; at < to; at += SPAN) {
            span[threadIdx.x] = x[at + threadIdx.x];
            __syncthreads();
            for (int j = 0; j < SPAN; ++j)
                sum += span[j] * own;
            __syncthreads();
        }
        return sum;
    };
    out[blockIdx.x * SPAN + threadIdx.x] = sum_of(0, half) - sum_of(half, n);
}
