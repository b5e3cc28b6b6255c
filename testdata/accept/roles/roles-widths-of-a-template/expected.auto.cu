// A template of the block's width, launched with two: each launch gets a second layer, and the bounds are the larger ones'.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

template <int T> __global__ __launch_bounds__(512) void dots(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ out, int n)
{
    __shared__ float xs_stage[2][T], ws_stage[2][T];
    __shared__ float sums[T / 32];
    if ((int)blockIdx.x * T >= n)
        return; // the whole block
    float sum = 0;
    const float *row = x + (size_t)blockIdx.x * n;
    // pipelinify: pipeline-partitioned, 2 stages, source ec1392b5
    // The kernel is trapped where its launch has no second layer of threads.
    if (blockDim.z != 2 || blockDim.x * blockDim.y % 32)
        __trap();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state, blockDim.x * blockDim.y);
    int at = 0;
    // Threads of the second layer load for those of their x and y, and do nothing else.
    if (threadIdx.z == 1) {
        int load_stage = 0;
        while (at < n) {
            pipe.producer_acquire();
            {
                const int i = at + threadIdx.x;
                if (i < n) {
                    cuda::memcpy_async(&xs_stage[load_stage][threadIdx.x], &row[i],
                                       cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
                } else {
                    xs_stage[load_stage][threadIdx.x] = 0.f;
                }
                if (i < n) {
                    cuda::memcpy_async(&ws_stage[load_stage][threadIdx.x], &w[i],
                                       cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
                } else {
                    ws_stage[load_stage][threadIdx.x] = 0.f;
                }
            }
            pipe.producer_commit();
            load_stage ^= 1;
            at += T;
        }
        return;
    }

    int stage = 0;
    // Main loop: the others compute.
    for (; at < n; at += T) {
        pipe.consumer_wait();
        sum += xs_stage[stage][T - 1 - threadIdx.x] * ws_stage[stage][T - 1 - threadIdx.x];
        pipe.consumer_release();
        stage ^= 1;
    }
    __syncthreads();
    // What follows is done by the block as it was.
    for (int step = 16; step; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < T / 32; ++i)
            sum += sums[i];
        out[blockIdx.x] = sum;
    }
}

// pipelinify: launch dots<64>
//   sizes  n=1,64,100,300
//   grid   (n + 63) / 64 + 1
//   block  64
//   x:     in  [n * ((n + 63) / 64 + 1)]
//   w:     in  [n]
//   out:   out [(n + 63) / 64 + 1]
//   n:     n
// pipelinify: launch dots<256>
//   sizes  n=256,700
//   grid   2
//   block  256
//   x:     in  [n * 2]
//   w:     in  [n]
//   out:   out [2]
//   n:     n
void run(const float *x, const float *w, float *out, int n, bool wide)
{
    if (wide)
        dots<256><<<2, dim3(256, 1, 2)>>>(x, w, out, n);
    else
        dots<64><<<(n + 63) / 64 + 1, dim3(64, 1, 2)>>>(x, w, out, n);
}
