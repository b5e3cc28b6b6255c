// Two arrays of the caller's: the head reads one, compute stores to the other. The options say they are two.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch exchange
//   sizes  days=0,1,2,5
//   target days=4096
//   grid   1
//   block  64
//   rates: in    [days * 64] random
//   from:  in    [64] random
//   to:    inout [64] random
//   days:  days
__global__ void exchange(const float *__restrict__ rates, const float *from, float *to, int days)
{
    __shared__ float rate_stage[2][64];
    const int c = threadIdx.x;
    float sum = 0.0f;

    // pipelinify: cp.async, 2 stages, source cefd4db5
    {
        int d = 0;
        auto d_load = d;
        if (d_load < days) {
            __syncthreads();
        }
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (d_load < days) {
                auto &rate = rate_stage[load_stage];
                auto &d = d_load;
                __pipeline_memcpy_async(&rate[c], &rates[d * 64 + c], sizeof(float));
                ++d;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first tile.
        copy_tile(0);

        // Main loop: 1 tile is in flight while computing on one.
        int stage = 0;
        for (; d < days; ++d) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            {
                auto &rate = rate_stage[stage];
                const float partner = from[(c + 5) % 64];
                for (int k = 0; k < 64; ++k)
                    sum += partner * rate[k];
                to[c] = sum;
            }
            stage ^= 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }
}
