// Halves: rows of 256 of them are whole, the eight of a column are converted by compute.
#include <cuda_fp16.h>

template <int ROWS, int COLS, int THREADS>
__global__ void __launch_bounds__(THREADS)
column_sums(const __half *__restrict__ panel, float *__restrict__ sums, int rows, int ld)
{
    __shared__ __half tile[ROWS][COLS];
    float sum = 0.0f;
    for (int r0 = 0; r0 < rows; r0 += ROWS) {
        #pragma unroll
        for (int at = threadIdx.x; at < ROWS * COLS; at += THREADS) {
            const int r = at / COLS;
            const int c = at % COLS;
            tile[r][c] = r0 + r < rows ? panel[(size_t)(r0 + r) * ld + blockIdx.x * COLS + c] : __half(0.0f);
        }
        __syncthreads();
        for (int r = 0; r < ROWS; ++r)
            sum += __half2float(tile[r][threadIdx.x]);
        __syncthreads();
    }
    sums[blockIdx.x * COLS + threadIdx.x] = sum;
}

// pipelinify: launch column_sums<8, 256, 256>
//   sizes    rows=0,1,7,8,9,16,24,40 blocks=2
//   sizes    rows=33 blocks=1
//   target   rows=65536 blocks=264
//   requires blocks > 0
//   let      ld = blocks * 256 + 8
//   grid     blocks
//   block    256
//   panel:   in  [rows * ld]
//   sums:    out [blocks * 256]
//   rows:    rows
//   ld:      ld
void launch_column_sums(const __half *panel, float *sums, int rows, int ld, int blocks)
{
    column_sums<8, 256, 256><<<blocks, 256>>>(panel, sums, rows, ld);
}
