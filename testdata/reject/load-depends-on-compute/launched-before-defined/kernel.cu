// The kernel is declared, launched, and defined last; its loads need what compute
// has made.
#include <cuda_runtime.h>

template <typename T>
__global__ void centre_sums(const T *centres, T *sums, int batches);
template <typename T> __device__ T taken(const T *cell, int i);

void centre_sums_cuda(const float *centres, float *sums, int batches)
{
    centre_sums<<<1, 64>>>(centres, sums, batches);
}

template <typename T>
__global__ void centre_sums(const T *__restrict__ centres, T *__restrict__ sums, int batches)
{
    __shared__ T centre[64];
    T sum = 0;
    for (int b = 0; b < batches; ++b)
    {
        centre[threadIdx.x] = centres[b * 64 + threadIdx.x] + sum;
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += taken(centre, k);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

template <typename T> __device__ T taken(const T *cell, int i) { return cell[i]; }
