// One use of the template has its memory elsewhere.
#include <cuda_runtime.h>
template <typename T> struct SharedMemory {
    __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; }
    __device__ inline operator const T *() const { extern __shared__ int __smem[]; return (T *)__smem; }
};
__device__ double scratch[65536];
template <> struct SharedMemory<double> {
    __device__ inline operator double *() { return scratch; }
    __device__ inline operator const double *() const { return scratch; }
};
template <typename T>
__global__ void matvec_dyn(const T *__restrict__ A, const T *__restrict__ x, T *__restrict__ y, int rows, int cols)
{
    T *xs = SharedMemory<T>();
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    T acc = 0;
    for (int c0 = 0; c0 < cols; c0 += blockDim.x) {
        const int c = c0 + threadIdx.x;
        xs[threadIdx.x] = c < cols ? x[c] : T(0);
        __syncthreads();
        const int lim = min((int)blockDim.x, cols - c0);
        if (r < rows)
            for (int j = 0; j < lim; ++j) acc += A[(size_t)r * cols + c0 + j] * xs[j];
        __syncthreads();
    }
    if (r < rows) y[r] = acc;
}
template __global__ void matvec_dyn<float>(const float *, const float *, float *, int, int);
template __global__ void matvec_dyn<double>(const double *, const double *, double *, int, int);
