#include <cassert>

// The assertion stops the kernel before it reads past the end.
__global__ void row_dot(const float *__restrict__ x, const int *__restrict__ first,
                        float *__restrict__ out, int tiles, int n)
{
    __shared__ float tile[64];
    const int t = threadIdx.x;
    float acc = 0.f;

    for (int k = 0; k < tiles; ++k) {
        assert(first[k] + t < n);
        tile[t] = x[first[k] + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            acc += tile[j] * (float)(j + t);
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = acc;
}

// Here it looks at what was loaded, behind the barrier.
__global__ void row_dot_checked(const float *__restrict__ x, const int *__restrict__ first,
                                float *__restrict__ out, int tiles, int n)
{
    __shared__ float tile[64];
    const int t = threadIdx.x;
    float acc = 0.f;

    for (int k = 0; k < tiles; ++k) {
        tile[t] = x[first[k] + t];
        __syncthreads();
        assert(first[k] + t < n);
        for (int j = 0; j < 64; ++j)
            acc += tile[j] * (float)(j + t);
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = acc;
}
