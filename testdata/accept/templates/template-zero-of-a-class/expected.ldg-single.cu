// Row sums in a semiring that the caller chooses: here numbers, elsewhere, from the same header, maxima, whose zero is
// no zero bits.
#include <cuda_runtime.h>

template <typename T, int WIDTH>
__global__ void row_sums(const T *__restrict__ a, T *__restrict__ sums, int rows, int n)
{
    __shared__ T part[WIDTH];
    const T *row = a + (size_t)blockIdx.x * n;
    T sum = T(0);
    // pipelinify: ldg-single, 1 stage, source ed6d8101
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    int at = 0;
    if (at < n) {
        for (int i = threadIdx.x; i < WIDTH; i += blockDim.x)
            part[i] = at + i < n ? row[at + i] : T(0);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += WIDTH; at < n; at += WIDTH) {
            T part_next[1];
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < WIDTH)
                    part_next[slot] = at + i < n ? row[at + i] : T(0);
            }
            for (int i = 0; i < WIDTH; ++i)
                sum = sum + part[(i + threadIdx.x) % WIDTH];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < WIDTH)
                    part[i] = part_next[slot];
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + blockDim.x; i < WIDTH; i += blockDim.x)
                part[i] = at + i < n ? row[at + i] : T(0);
            __syncthreads();
        }
        for (int i = 0; i < WIDTH; ++i)
            sum = sum + part[(i + threadIdx.x) % WIDTH];
    }
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
