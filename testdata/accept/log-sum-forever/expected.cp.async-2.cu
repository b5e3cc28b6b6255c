// pipelinify: launch log_histo_free
//   sizes  tiles=1,2,3,4,9 blocks=1,3
//   target tiles=20000 blocks=528
//   let    n = tiles * 192
//   grid   blocks
//   block  192
//   x:     in  [n] range(0.5, 4)
//   out:   out [blocks * 192]
//   n:     n
#include <cuda_pipeline.h>

__global__ void log_histo_free(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float v_stage[2][192];
    const int t = threadIdx.x;
    float sum = 0.f;
    int pos = 0;
    // pipelinify: cp.async, 2 stages, source a11b57be
    {
        // Prologue: load the first tile.
        {
            auto &v = v_stage[0];
            __pipeline_memcpy_async(&v[t], &x[pos + t], sizeof(float));
            pos += 192;
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();

        // Main loop: copy the next tile while computing on this one.
        int stage = 0;
        while (pos < n) {
            {
                auto &v = v_stage[stage ^ 1];
                __pipeline_memcpy_async(&v[t], &x[pos + t], sizeof(float));
                pos += 192;
            }
            __pipeline_commit();
            {
                auto &v = v_stage[stage];
                sum += __logf(v[(t * 5) % 192]);
            }
            stage ^= 1;
            __pipeline_wait_prior(0);
            __syncthreads();
        }

        // Epilogue: compute on the last tile.
        {
            auto &v = v_stage[stage];
            sum += __logf(v[(t * 5) % 192]);
        }
    }
    out[blockIdx.x * 192 + t] = sum;
}
