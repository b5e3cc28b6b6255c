// Weighted sum of basis vectors with CRLF line ends and no newline at the end of the file; the tile holds the weights and the pragma vouches for the pointers.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

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
    constexpr int stages = 3;
    __shared__ float wt_stage[stages][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    // pipelinify: pipeline-block, 3 stages, source 56921fa5
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
    int b_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        pipe.producer_acquire();
        if (b_load < m)
        {
            if (threadIdx.x < 32)
            {
                if (b_load + threadIdx.x < m)
                {
                    cuda::memcpy_async(&wt_stage[load_stage][threadIdx.x], &w[b_load + threadIdx.x], cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
                }
                else
                {
                    wt_stage[load_stage][threadIdx.x] = 0.0f;
                }
            }
            b_load += 32;
        }
        pipe.producer_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int b = 0; b < m; b += 32)
    {
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        pipe.consumer_wait();

        for (int k = 0; k < 32 && b + k < m; ++k)
        {
            if (i < n)
                sum += wt_stage[stage][k] * basis[(size_t)(b + k) * n + i];
            if (i == 0)
                trace[b + k] = sum;
        }
        pipe.consumer_release();
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    {
        pipe.consumer_wait();
        pipe.consumer_release();
    }
    __syncthreads();

    if (i < n)
        y[i] = sum;
}