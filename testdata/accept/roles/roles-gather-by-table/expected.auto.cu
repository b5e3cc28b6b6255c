// Rows are gathered by a table that the block keeps in shared memory: what was put there ahead of the loop is seen by the
// threads that load.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

// pipelinify: launch gather
//   sizes  n=1,2,5,32 width=64
//   grid   2
//   block  64
//   table: in  [2 * n] below(40)
//   rows:  in  [40 * width]
//   out:   out [2 * 64]
//   n:     n
//   width: width
__global__ __launch_bounds__(128) void gather(const int *__restrict__ table, const float *__restrict__ rows, float *__restrict__ out, int n,
                       int width)
{
    __shared__ int index[32];
    __shared__ float row_stage[2][64];
    const int t = threadIdx.x;
    if (threadIdx.z == 0)
        if (t < n)
            index[t] = table[blockIdx.x * n + t];
    __syncthreads();
    float best = -1e30f;
    // pipelinify: pipeline-partitioned, 2 stages, source 1221b396
    // The kernel is trapped where its launch has no second layer of threads.
    if (blockDim.z != 2 || blockDim.x * blockDim.y % 32)
        __trap();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state, blockDim.x * blockDim.y);
    int i = 0;
    // Threads of the second layer load for those of their x and y, and do nothing else.
    if (threadIdx.z == 1) {
        int load_stage = 0;
        while (i < n) {
            pipe.producer_acquire();
            cuda::memcpy_async(&row_stage[load_stage][t], &rows[(size_t)index[i] * width + t],
                               cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            pipe.producer_commit();
            load_stage ^= 1;
            ++i;
        }
        return;
    }

    int stage = 0;
    // Main loop: the others compute.
    for (; i < n; ++i) {
        pipe.consumer_wait();
        best = fmaxf(best, row_stage[stage][t] - 0.25f * row_stage[stage][(t + 17) % 64]);
        pipe.consumer_release();
        stage ^= 1;
    }
    out[blockIdx.x * 64 + t] = best;
}

template <typename T> void launch(const T *rows, const int *table, T *out, int n, int width)
{
    constexpr int threads = 64;
    gather<<<2, dim3(threads, 1, 2)>>>(table, rows, out, n, width);
}
template void launch<float>(const float *, const int *, float *, int, int);
