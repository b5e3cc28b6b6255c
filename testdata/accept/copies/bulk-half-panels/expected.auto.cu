// Halves: rows of 256 of them are whole, the eight of a column are converted by compute.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>

template <int ROWS, int COLS, int THREADS>
__global__ void __launch_bounds__(THREADS)
column_sums(const __half *__restrict__ panel, float *__restrict__ sums, int rows, int ld)
{
    __shared__ __align__(16) __half tile_stage[2][ROWS][COLS];
    float sum = 0.0f;
    // pipelinify: bulk, 2 stages, source 0351cc1d
    // Whether a tile's rows can be copied whole: all is aligned.
    const bool whole = blockDim.x == THREADS && (ROWS * COLS) % 256 == 0 && COLS % 256 == 0 && COLS % 8 == 0 &&
                       (size_t)panel % 16 == 0 && ld % 8 == 0 && COLS > 0;
    // Whether 8 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == THREADS && (ROWS * COLS) % 8 == 0 && COLS % 8 == 0 && (size_t)panel % 16 == 0 &&
                        ld % 8 == 0;
    // One for each stage: its copies have landed, and all threads are there.
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> landed[2];
    #pragma nv_diagnostic pop
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        for (int stage = 0; stage < 2; ++stage)
            init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
    __syncthreads();
    int r0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r0_load < rows) {
            bool full = whole;
            if (full) {
                int at = (ROWS * COLS) - 256;
                const int r = at / COLS;
                full = full && r0_load + r < rows;
            }
            if (full) {
                if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
                    cuda::device::experimental::fence_proxy_async_shared_cta();
                    for (int at = 0; at < ROWS * COLS; at += 256) {
                        const int r = at / COLS;
                        const int c = at % COLS;
                        cuda::device::barrier_expect_tx(landed[load_stage], 512);
                        cuda::device::memcpy_async_tx(&tile_stage[load_stage][r][c],
                                                      &panel[(size_t)(r0_load + r) * ld + blockIdx.x * COLS + c],
                                                      cuda::aligned_size_t<16>(512), landed[load_stage]);
                    }
                }
            } else {
                if (joined) {
                    #pragma unroll
                    for (int at = 8 * threadIdx.x; at < ROWS * COLS; at += 8 * THREADS) {
                        const int r = at / COLS;
                        const int c = at % COLS;
                        if (r0_load + r < rows) {
                            __pipeline_memcpy_async(&tile_stage[load_stage][r][c],
                                                    &panel[(size_t)(r0_load + r) * ld + blockIdx.x * COLS + c], 16);
                        } else {
                            for (int each = 0; each < 8; ++each) {
                                (&tile_stage[load_stage][r][c])[each] = __half(0.0f);
                            }
                        }
                    }
                } else {
                    #pragma unroll
                    for (int at = threadIdx.x; at < ROWS * COLS; at += THREADS) {
                        const int r = at / COLS;
                        const int c = at % COLS;
                        tile_stage[load_stage][r][c] = r0_load + r < rows ?
                                                       panel[(size_t)(r0_load + r) * ld + blockIdx.x * COLS + c] :
                                                       __half(0.0f);
                    }
                }
            }
            __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
            r0_load += ROWS;
        }
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int r0 = 0; r0 < rows; r0 += ROWS) {
        landed[stage].arrive_and_wait();
        copy_tile(stage ^ 1);
        for (int r = 0; r < ROWS; ++r)
            sum += __half2float(tile_stage[stage][r][threadIdx.x]);
        stage ^= 1;
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
