// An assertion for older devices that holds: they see another loop.
#include <cuda_runtime.h>

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

template <typename T>
__global__ void strips(const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C,
                       int M, int N, int K)
{
    __shared__ T As[16][16];
    __shared__ T Bs[16][64];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 64 + tx * 4;
    T acc[4] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
        As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : T(0);
        for (int i = 0; i < 4; ++i)
            Bs[ty][tx * 4 + i] = k0 + ty < K ? B[(k0 + ty) * N + col + i] : T(0);
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            multiply_add(acc, &As[ty][k], &Bs[k][tx * 4]);
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        if (row < M)
            C[row * N + col + i] = acc[i];
}

void run(const float *a, const float *b, float *c)
{
    strips<<<dim3(4, 4), dim3(16, 16)>>>(a, b, c, 64, 256, 100);
}
