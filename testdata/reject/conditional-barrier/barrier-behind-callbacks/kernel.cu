// Each step of the loop is a callback, and what runs it waits at the barrier behind it.
#define SPAN 64

template <class Step>
__device__ __forceinline__ void together(Step step)
{
    step();
    __syncthreads();
}

__global__ void pair_counts(const int *__restrict__ keys, int *__restrict__ counts, int n)
{
    __shared__ int span[SPAN];
    const int own = keys[blockIdx.x * SPAN + threadIdx.x];
    int count = 0;
    for (int at = 0; at < n; at += SPAN) {
        together([&] { span[threadIdx.x] = keys[at + threadIdx.x]; });
        together([&] {
            for (int j = 0; j < SPAN; ++j)
                count += span[j] == own;
        });
    }
    counts[blockIdx.x * SPAN + threadIdx.x] = count;
}
