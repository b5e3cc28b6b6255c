// A log of several words, of which one is volatile: a pack hands them on.
template <class... Word>
__device__ void log_all(int value, Word *...word)
{
    ((*word = value), ...);
}

__global__ void smooth(const float *__restrict__ in, float *__restrict__ out, int *__restrict__ mine,
                       volatile int *__restrict__ watched, int n)
{
    __shared__ float line[64];
    float s = 0.f;
    for (int i = 0; i < n; ++i) {
        line[threadIdx.x] = in[i * 64 + threadIdx.x];
        __syncthreads();
        s = 0.5f * s + line[63 - threadIdx.x];
        if (threadIdx.x == 0)
            log_all(i, mine, watched);
        __syncthreads();
    }
    out[threadIdx.x] = s;
}
