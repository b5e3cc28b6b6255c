// Older devices are asserted away where an instance is of a type that they have not.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <typename T, typename U> struct same { static constexpr bool value = false; };
template <typename T> struct same<T, T> { static constexpr bool value = true; };

__device__ int steps_done;

template <typename T>
__device__ __forceinline__ void multiply_add(T *acc, const T *a, const T *b)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    static_assert(same<T, float>::value, "double products need a device of 8.0");
    for (int i = 0; i < 4; ++i)
        acc[i] += a[0] * b[i];
    __threadfence();
    steps_done = 1;
#else
    if constexpr (same<T, double>::value) {
        for (int i = 0; i < 4; ++i)
            acc[i] = fma(a[0], b[i], acc[i]);
    } else {
        for (int i = 0; i < 4; ++i)
            acc[i] = fmaf(a[0], b[i], acc[i]);
    }
#endif
}

// pipelinify: launch strips<float>
//   sizes    M=1,16,17 N=64 K=0,1,15,16,17,48,65
//   target   M=4096 N=4096 K=4096
//   grid     N / 64, (M + 15) / 16
//   block    16, 16
//   A:       in [M * K] random
//   B:       in [K * N] random
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
// pipelinify: launch strips<double>
//   sizes    M=1,16,17 N=64 K=0,1,15,16,17,48,65
//   target   M=4096 N=4096 K=4096
//   grid     N / 64, (M + 15) / 16
//   block    16, 16
//   A:       in [M * K] random
//   B:       in [K * N] random
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
template <typename T>
__global__ void strips(const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C,
                       int M, int N, int K)
{
    __shared__ T As_stage[2][16][16];
    __shared__ T Bs_stage[2][16][64];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 64 + tx * 4;
    T acc[4] = {};
    // pipelinify: cp.async, 2 stages, source 9ec748b1
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) &&
                  (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            if (row < M && k0_load + tx < K) {
                __pipeline_memcpy_async(&As_stage[load_stage][ty][tx], &A[row * K + k0_load + tx],
                                        sizeof(T));
            } else {
                As_stage[load_stage][ty][tx] = T(0);
            }
            for (int i = 0; i < 4; ++i) {
                if (k0_load + ty < K) {
                    __pipeline_memcpy_async(&Bs_stage[load_stage][ty][tx * 4 + i],
                                            &B[(k0_load + ty) * N + col + i], sizeof(T));
                } else {
                    Bs_stage[load_stage][ty][tx * 4 + i] = T(0);
                }
            }
            k0_load += 16;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += 16) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < 16; ++k)
            multiply_add(acc, &As_stage[stage][ty][k], &Bs_stage[stage][k][tx * 4]);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    for (int i = 0; i < 4; ++i)
        if (row < M)
            C[row * N + col + i] = acc[i];
}

void run(const float *a, const float *b, float *c, const double *ad, const double *bd, double *cd)
{
    strips<<<dim3(4, 4), dim3(16, 16)>>>(a, b, c, 64, 256, 100);
    strips<<<dim3(4, 4), dim3(16, 16)>>>(ad, bd, cd, 64, 256, 100);
}
