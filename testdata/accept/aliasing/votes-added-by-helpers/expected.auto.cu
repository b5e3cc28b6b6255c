#include <cuda_pipeline.h>

// Every block votes for the cells of a table that all blocks share, by helpers that give back
// what was there: nobody takes it, so the atomics load and store, and order nothing.
template <typename T>
__device__ __forceinline__ T add_at(T *address, T value)
{
    return atomicAdd(address, value);
}

template <typename T>
__device__ __forceinline__ T vote(T *table, int cell, T weight)
{
    return (add_at(table + cell, weight));
}

// pipelinify: launch hough_lines
//   sizes    n=1,63,64,65,200 angles=1,31,64
//   target   n=65536 angles=4096
//   grid     (angles + 63) / 64
//   block    64
//   xs:      in  [n] range(0, 255)
//   ys:      in  [n] range(0, 255)
//   slope:   in  [angles] range(-3, 3)
//   table:   inout [1024] below(10)
//   n:       n
//   angles:  angles
__global__ void __launch_bounds__(64)
    hough_lines(const int *__restrict__ xs, const int *__restrict__ ys,
                const int *__restrict__ slope, int *__restrict__ table, int n, int angles)
{
    constexpr int stages = 8;
    __shared__ int x_stage[stages][64], y_stage[stages][64];
    const int angle = blockIdx.x * 64 + threadIdx.x;
    const int m = angle < angles ? slope[angle] : 0;

    // pipelinify: cp.async, 8 stages, source c9280037
    int first_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (first_load < n) {
            const int at = first_load + threadIdx.x;
            __pipeline_memcpy_async(&x_stage[load_stage][threadIdx.x], &xs[at], sizeof(int),
                                    (at < n) ? 0 : sizeof(int));
            __pipeline_memcpy_async(&y_stage[load_stage][threadIdx.x], &ys[at], sizeof(int),
                                    (at < n) ? 0 : sizeof(int));
            first_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int first = 0; first < n; first += 64) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        int left = 0, right = 0;
        for (int i = 0; i < 64 && first + i < n; ++i) {
            const int d = y_stage[stage][i] - m * x_stage[stage][i];
            left += d < 0;
            right += d >= 0;
        }
        if (angle < angles) {
            vote(table, (m + 3) * 128 + left % 128, 1);
            vote(table, (m + 3) * 128 + right % 128, left);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
}
