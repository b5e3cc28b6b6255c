// A matrix times a vector for two types, whose dynamic shared memory is typed by a
// class that has a specialization for one of them.
// pipelinify: launch matvec_dyn<float>
//   sizes    rows=5,64 cols=0,1,63,64,65,200
//   target   rows=16384 cols=4096
//   grid     (rows + 63) / 64
//   block    64
//   smem     64 * 4
//   A:       in [rows * cols + 1] random
//   x:       in [cols + 1] random
//   y:       out [rows]
//   rows:    rows
//   cols:    cols

// pipelinify: launch matvec_dyn<double>
//   sizes    rows=5,64 cols=0,1,63,64,65,200
//   target   rows=16384 cols=4096
//   grid     (rows + 63) / 64
//   block    64
//   smem     64 * 8
//   A:       in [rows * cols + 1] random
//   x:       in [cols + 1] random
//   y:       out [rows]
//   rows:    rows
//   cols:    cols
#include <cuda_runtime.h>
template <typename T> struct SharedMemory {
    __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; }
    __device__ inline operator const T *() const { extern __shared__ int __smem[]; return (T *)__smem; }
};
template <> struct SharedMemory<double> {
    __device__ inline operator double *() { extern __shared__ double __smem_d[]; return (double *)__smem_d; }
    __device__ inline operator const double *() const { extern __shared__ double __smem_d[]; return (double *)__smem_d; }
};
template <typename T>
__global__ void matvec_dyn(const T *__restrict__ A, const T *__restrict__ x, T *__restrict__ y, int rows, int cols)
{
    T *xs = SharedMemory<T>();
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    T acc = 0;
    // pipelinify: ldg-single, 1 stage, source 964c5872
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    int c0 = 0, c0_tile = c0;
    if (c0 < cols) {
        auto compute_tile = [&]() {
            const int lim = min((int)blockDim.x, cols - c0_tile);
            if (r < rows)
                for (int j = 0; j < lim; ++j) acc += A[(size_t)r * cols + c0_tile + j] * xs[j];
        };
        {
            const int c = c0 + threadIdx.x;
            xs[threadIdx.x] = c < cols ? x[c] : T(0);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (c0 += blockDim.x; c0 < cols; c0 += blockDim.x) {
            const int c = c0 + threadIdx.x;
            T xs_next = c < cols ? x[c] : T(0);
            compute_tile();
            c0_tile += blockDim.x;
            __syncthreads();
            xs[threadIdx.x] = xs_next;
            __syncthreads();
        }
        compute_tile();
    }
    if (r < rows) y[r] = acc;
}
template __global__ void matvec_dyn<float>(const float *, const float *, float *, int, int);
template __global__ void matvec_dyn<double>(const double *, const double *, double *, int, int);
