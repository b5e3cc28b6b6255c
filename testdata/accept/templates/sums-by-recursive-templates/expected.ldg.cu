// Weighted sums of halves of a tile, unrolled by a template that calls itself until an
// `if constexpr` ends it.
#include <cuda_runtime.h>

template <int Count, typename T>
__device__ __forceinline__ T weighted(const T *cells, T weight)
{
    if constexpr (Count == 1)
        return cells[0] * weight;
    else
        return weighted<Count / 2>(cells, weight) + weighted<Count - Count / 2>(cells + Count / 2, weight * T(0.5));
}

// pipelinify: launch window_sums<32, float>
//   sizes    windows=0,1,2,3,7
//   target   windows=8192
//   grid     2
//   block    32
//   signal:  in  [2 * windows * 32]
//   sums:    out [2 * 32]
//   windows: windows
template <int Width, typename T>
__global__ void __launch_bounds__(Width)
window_sums(const T *__restrict__ signal, T *__restrict__ sums, int windows)
{
    __shared__ T window_stage[2][Width + 1];
    T sum = 0;
    // pipelinify: ldg, 2 stages, source 80581d33
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    int w = 0, stage = 0;
    if (w < windows) {
        window_stage[0][threadIdx.x] = signal[(w * gridDim.x + blockIdx.x) * Width + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++w; w < windows; ++w) {
            T window_next = signal[(w * gridDim.x + blockIdx.x) * Width + threadIdx.x];
            sum += weighted<Width>(window_stage[stage], T(1)) * T(threadIdx.x % 3);
            stage ^= 1;
            window_stage[stage][threadIdx.x] = window_next;
            __syncthreads();
        }
        sum += weighted<Width>(window_stage[stage], T(1)) * T(threadIdx.x % 3);
    }
    sums[blockIdx.x * Width + threadIdx.x] = sum;
}

void window_sums_of(const float *signal, float *sums, int windows)
{
    window_sums<32><<<2, 32>>>(signal, sums, windows);
}
