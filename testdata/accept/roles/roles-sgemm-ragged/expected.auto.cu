// Tiled SGEMM with ragged edges: half of the launched threads load, sums stay in registers, and the bounds of the launch
// double.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

#define TILE 16

// pipelinify: launch sgemm
//   sizes  m=16 n=16 k=0,1,16,17,64,80
//   sizes  m=33 n=20 k=50
//   target m=2048 n=2048 k=2048
//   grid   (n + 15) / 16, (m + 15) / 16
//   block  16, 16
//   a:     in  [m * k + 1]
//   b:     in  [k * n + 1]
//   c:     out [m * n]
//   m:     m
//   n:     n
//   k:     k
__global__ void __launch_bounds__(2 * (TILE *TILE)) sgemm(const float *__restrict__ a, const float *__restrict__ b,
                                                    float *__restrict__ c, int m, int n, int k)
{
    constexpr int stages = 3;
    __shared__ float as_stage[stages][TILE][TILE], bs_stage[stages][TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.f;
    // pipelinify: pipeline-partitioned, 3 stages, source 3b8f66a7
    // The kernel is trapped where its launch has no second layer of threads.
    if (blockDim.z != 2 || blockDim.x * blockDim.y % 32)
        __trap();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state, blockDim.x * blockDim.y);
    int k0 = 0;
    // Threads of the second layer load for those of their x and y, and do nothing else.
    if (threadIdx.z == 1) {
        int load_stage = 0;
        while (k0 < k) {
            pipe.producer_acquire();
            if (row < m && k0 + tx < k) {
                cuda::memcpy_async(&as_stage[load_stage][ty][tx], &a[row * k + k0 + tx],
                                   cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            } else {
                as_stage[load_stage][ty][tx] = 0.f;
            }
            if (k0 + ty < k && col < n) {
                cuda::memcpy_async(&bs_stage[load_stage][ty][tx], &b[(k0 + ty) * n + col],
                                   cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            } else {
                bs_stage[load_stage][ty][tx] = 0.f;
            }
            pipe.producer_commit();
            load_stage = load_stage == stages - 1 ? 0 : load_stage + 1;
            k0 += TILE;
        }
        return;
    }

    int stage = 0;
    // Main loop: the others compute.
    for (; k0 < k; k0 += TILE) {
        pipe.consumer_wait();
        for (int i = 0; i < TILE; ++i)
            sum += as_stage[stage][ty][i] * bs_stage[stage][i][tx];
        pipe.consumer_release();
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

cudaError_t run(const float *a, const float *b, float *c, int m, int n, int k, cudaStream_t stream)
{
    dim3 threads(TILE, TILE), blocks((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    sgemm<<<blocks, dim3(threads.x, threads.y, 2), 0, stream>>>(a, b, c, m, n, k);
    return cudaGetLastError();
}
