// Weighted sums of halves of a tile, unrolled by a template that calls itself until an
// `if constexpr` ends it.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    // pipelinify: cp.async, 2 stages, source 80581d33
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int w_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (w_load < windows) {
            __pipeline_memcpy_async(&window_stage[load_stage][threadIdx.x],
                                    &signal[(w_load * gridDim.x + blockIdx.x) * Width + threadIdx.x], sizeof(T));
            ++w_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int w = 0; w < windows; ++w) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        sum += weighted<Width>(window_stage[stage], T(1)) * T(threadIdx.x % 3);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    sums[blockIdx.x * Width + threadIdx.x] = sum;
}

void window_sums_of(const float *signal, float *sums, int windows)
{
    window_sums<32><<<2, 32>>>(signal, sums, windows);
}
