// Weighted sum of basis vectors with CRLF line ends and no newline at the end of the file; the tile holds the weights and the pragma vouches for the pointers.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>

// pipelinify: launch combine
//   sizes  n=64 m=0,1,31,32,33,64,96,128,160,195
//   sizes  n=100 m=70
//   target n=4194304 m=128
//   grid   (n + 63) / 64
//   block  64
//   basis: in  [m * n] random
//   w:     in  [m] random
//   trace: out [m]
//   y:     out [n]
//   n:     n
//   m:     m
// pipelinify: assume-no-alias
__global__ void combine(const float *basis, const float *w, float *trace, float *y, int n, int m)
{
    __shared__ float wt_stage[2][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    // pipelinify: barrier, 2 stages, source 56921fa5
    {
        // One for each stage: its copies have landed, and all threads are there.
        #pragma nv_diagnostic push
        #pragma nv_diag_suppress static_var_with_dynamic_init
        __shared__ cuda::barrier<cuda::thread_scope_block> landed[2];
        #pragma nv_diagnostic pop
        if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
            for (int stage = 0; stage < 2; ++stage)
                init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
        __syncthreads();
        int b = 0;
        auto b_load = b;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage)
        {
            if (b_load < m)
            {
                auto &wt = wt_stage[load_stage];
                auto &b = b_load;
                if (threadIdx.x < 32)
                {
                    if (b + threadIdx.x < m)
                    {
                        __pipeline_memcpy_async(&wt[threadIdx.x], &w[b + threadIdx.x], sizeof(float));
                    }
                    else
                    {
                        wt[threadIdx.x] = 0.0f;
                    }
                }
                __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
                b += 32;
            }
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; b < m; b += 32)
        {
            landed[stage].arrive_and_wait();
            copy_tile(stage ^ 1);
            {
                auto &wt = wt_stage[stage];
                for (int k = 0; k < 32 && b + k < m; ++k)
                {
                    if (i < n)
                        sum += wt[k] * basis[(size_t)(b + k) * n + i];
                    if (i == 0)
                        trace[b + k] = sum;
                }
            }
            stage = stage == 1 ? 0 : stage + 1;
        }
        __syncthreads();
    }

    if (i < n)
        y[i] = sum;
}