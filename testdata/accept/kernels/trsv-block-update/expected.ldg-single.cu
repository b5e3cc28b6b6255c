// Update step of a blocked triangular solve: column-major panels of L, a shuffle over the tile's row after the loop.
#include <cuda_runtime.h>
#define NB 16
template <typename T>
__global__ void trsv_update(int n, int j0, const T *__restrict__ L, int ldl, const T *__restrict__ x, T *__restrict__ b)
{
    __shared__ T Ls[NB][NB + 1];
    __shared__ T xs[NB];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.x * NB + ty;
    T sum = T(0);
    // pipelinify: ldg-single, 1 stage, source c1037221
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    int j = 0;
    if (j < j0) {
        Ls[ty][tx] = (row < n && j + tx < j0) ? L[(size_t)(j + tx) * ldl + row] : T(0);
        if (ty == 0) xs[tx] = (j + tx < j0) ? x[j + tx] : T(0);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (j += NB; j < j0; j += NB) {
            T xs_next;
            T Ls_next = (row < n && j + tx < j0) ? L[(size_t)(j + tx) * ldl + row] : T(0);
            if (ty == 0)
                xs_next = (j + tx < j0) ? x[j + tx] : T(0);
            sum += Ls[ty][tx] * xs[tx];
            __syncthreads();
            Ls[ty][tx] = Ls_next;
            if (ty == 0)
                xs[tx] = xs_next;
            __syncthreads();
        }
        sum += Ls[ty][tx] * xs[tx];
    }
    for (int o = NB / 2; o > 0; o >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, o, NB);
    if (tx == 0 && row < n) b[row] -= sum;
}
// pipelinify: launch trsv_update<float>
//   sizes n=16,40 j0=0,5,16,17,32,50,64,112
//   target n=8192 j0=2048
//   grid (n + 15) / 16
//   block 16, 16
//   n: n
//   j0: j0
//   L: in [(n + 3) * (j0 + 1)]
//   ldl: n + 3
//   x: in [j0 + 1]
//   b: inout [n]
// pipelinify: launch trsv_update<double>
//   sizes n=16 j0=48
//   target n=8192 j0=2048
//   grid (n + 15) / 16
//   block 16, 16
//   n: n
//   j0: j0
//   L: in [(n + 3) * (j0 + 1)]
//   ldl: n + 3
//   x: in [j0 + 1]
//   b: inout [n]
template __global__ void trsv_update<float>(int, int, const float *, int, const float *, float *);
template __global__ void trsv_update<double>(int, int, const double *, int, const double *, double *);
