#define DEPTH 128

__device__ __forceinline__ void l2_prefetch(const void *p)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(p) : "memory");
}

__global__ void hinted_stream(const float *__restrict__ x, const float *__restrict__ w,
                              float *__restrict__ y, int n)
{
    __shared__ float sw[DEPTH];
    const int tid = threadIdx.x;
    float acc = 0.f;

    for (int k = 0; k < n; k += DEPTH) {
        l2_prefetch(w + k + DEPTH + tid);
        sw[tid] = w[k + tid];
        __syncthreads();
        for (int j = 0; j < DEPTH; ++j)
            acc += sw[j] * x[blockIdx.x * n + k + j];
        __syncthreads();
    }
    y[blockIdx.x * DEPTH + tid] = acc;
}
