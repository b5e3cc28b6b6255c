// Weighted sum of basis vectors with CRLF line ends and no newline at the end of the file; the tile holds the weights and the pragma vouches for the pointers.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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

    // pipelinify: cp.async, 2 stages, source 56921fa5
    int b_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (b_load < m)
        {
            if (threadIdx.x < 32)
                __pipeline_memcpy_async(&wt_stage[load_stage][threadIdx.x], &w[b_load + threadIdx.x], sizeof(float),
                                        (b_load + threadIdx.x < m) ? 0 : sizeof(float));
            b_load += 32;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int b = 0; b < m; b += 32)
    {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int k = 0; k < 32 && b + k < m; ++k)
        {
            if (i < n)
                sum += wt_stage[stage][k] * basis[(size_t)(b + k) * n + i];
            if (i == 0)
                trace[b + k] = sum;
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    if (i < n)
        y[i] = sum;
}