// A load helper whose parameter holds a byte of the count that it is handed.
#include <cuda_runtime.h>

__device__ void stage_rows(float *rows, const float *from, unsigned char fours)
{
    for (int i = threadIdx.x; i < 4 * fours; i += 128)
        rows[i] = from[i];
}

__device__ auto stage_rows_fetch(const float *from, unsigned char fours)
{
    struct {
        float rows_next[7];
    } next;
    #pragma unroll
    for (int slot = 0; slot < 7; ++slot) {
        int i = threadIdx.x + slot * 128;
        if (i < 4 * fours)
            next.rows_next[slot] = from[i];
    }
    return next;
}

template <typename Registers>
__device__ void stage_rows_store(float *rows, unsigned char fours,
                                 const Registers &next)
{
    #pragma unroll
    for (int slot = 0; slot < 7; ++slot) {
        int i = threadIdx.x + slot * 128;
        if (i < 4 * fours)
            rows[i] = next.rows_next[slot];
    }
}

// pipelinify: launch byte_of_a_count
//   sizes tiles=0,1,2,3
//   target tiles=4096
//   grid   1
//   block  128
//   a:     in  [tiles * 800] random
//   c:     out [128]
//   tiles: tiles
__global__ void __launch_bounds__(128)
byte_of_a_count(const float *__restrict__ a, float *__restrict__ c, int tiles)
{
    __shared__ float rows[800];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 7c4f7b76
    int k = 0;
    if (k < tiles) {
        stage_rows(rows, a + k * 800, 456); // 200
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            auto rows_next = stage_rows_fetch(a + k * 800, 456); // 200
            for (int i = 0; i < 800; ++i)
                sum += rows[i] * (float)((i ^ t) & 3);
            __syncthreads();
            stage_rows_store(rows, 456, rows_next);
            __syncthreads();
        }
        for (int i = 0; i < 800; ++i)
            sum += rows[i] * (float)((i ^ t) & 3);
    }
    c[t] = sum;
}
