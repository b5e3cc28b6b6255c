// Update step of a blocked triangular solve: column-major panels of L, a shuffle over the tile's row after the loop.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#define NB 16
template <typename T>
__global__ void trsv_update(int n, int j0, const T *__restrict__ L, int ldl, const T *__restrict__ x, T *__restrict__ b)
{
    __shared__ T Ls_stage[2][NB][NB + 1];
    __shared__ T xs_stage[2][NB];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.x * NB + ty;
    T sum = T(0);
    // pipelinify: cp.async, 2 stages, source c1037221
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int j_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (j_load < j0) {
            if (row < n && j_load + tx < j0) {
                __pipeline_memcpy_async(&Ls_stage[load_stage][ty][tx], &L[(size_t)(j_load + tx) * ldl + row],
                                        sizeof(T));
            } else {
                Ls_stage[load_stage][ty][tx] = T(0);
            }
            if (ty == 0) {
                if (j_load + tx < j0) {
                    __pipeline_memcpy_async(&xs_stage[load_stage][tx], &x[j_load + tx], sizeof(T));
                } else {
                    xs_stage[load_stage][tx] = T(0);
                }
            }
            j_load += NB;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int j = 0; j < j0; j += NB) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        sum += Ls_stage[stage][ty][tx] * xs_stage[stage][tx];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
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
