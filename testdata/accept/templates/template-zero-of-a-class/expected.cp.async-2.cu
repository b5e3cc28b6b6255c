// Row sums in a semiring that the caller chooses: here numbers, elsewhere, from the same header, maxima, whose zero is
// no zero bits.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <typename T, int WIDTH>
__global__ void row_sums(const T *__restrict__ a, T *__restrict__ sums, int rows, int n)
{
    __shared__ T part_stage[2][WIDTH];
    const T *row = a + (size_t)blockIdx.x * n;
    T sum = T(0);
    // pipelinify: cp.async, 2 stages, source ed6d8101
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int at_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            for (int i = threadIdx.x; i < WIDTH; i += blockDim.x) {
                if (at_load + i < n) {
                    __pipeline_memcpy_async(&part_stage[load_stage][i], &row[at_load + i], sizeof(T));
                } else {
                    part_stage[load_stage][i] = T(0);
                }
            }
            at_load += WIDTH;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int at = 0; at < n; at += WIDTH) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < WIDTH; ++i)
            sum = sum + part_stage[stage][(i + threadIdx.x) % WIDTH];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (blockIdx.x < rows)
        sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// pipelinify: launch row_sums<float, 64>
//   sizes  n=0,1,63,64,65,200 rows=2
//   grid   2
//   block  64
//   a:     in  [rows * n + 1] random
//   sums:  out [rows * 64]
//   rows:  rows
//   n:     n
void run(const float *a, float *sums, int rows, int n)
{
    row_sums<float, 64><<<rows, 64>>>(a, sums, rows, n);
}
