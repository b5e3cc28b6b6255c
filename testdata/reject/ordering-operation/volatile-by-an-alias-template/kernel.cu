// Polling through an alias template: nothing in the loop says volatile.
template <class T>
using Mapped = volatile T;

template <class Word>
__device__ bool reached(const Word *word, int mark)
{
    return *word >= mark;
}

__global__ void follow(const double *__restrict__ path, double *__restrict__ length, Mapped<int> *head, int legs)
{
    __shared__ double leg[32];
    double total = 0.0;
    for (int l = 0; l < legs; ++l) {
        while (!reached(head, l)) {
        }
        leg[threadIdx.x] = path[l * 32 + threadIdx.x];
        __syncthreads();
        for (int p = 0; p < 32; ++p)
            total += leg[p] * leg[(p + threadIdx.x) & 31];
        __syncthreads();
    }
    length[threadIdx.x] = total;
}
