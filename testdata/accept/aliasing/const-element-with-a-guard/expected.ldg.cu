// Elements of a const type behind a guard, with a zero of that type.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// pipelinify: launch ragged<const __half>
//   sizes    n=0,1,63,64,65,200
//   target   n=262144
//   grid     1
//   block    64
//   x:       in  [n]
//   y:       out [64]
//   n:       n
template <class V>
__global__ void ragged(V *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][64];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source c7a60c84
    {
        static_assert(sizeof(static_cast<const void *>((V *)nullptr)) > 0,
                      "V must be no reference and not volatile");
        int t = 0;
        if (t < n) {
            // Computes on the tile in a stage.
            auto compute_tile = [&](int stage) {
                auto &s = s_stage[stage];
                for (int k = 0; k < 64; ++k)
                    sum += s[k] * (k - (int)threadIdx.x);
            };

            // Prologue: load the first tile.
            {
                auto &s = s_stage[0];
                const int i = t + threadIdx.x;
                s[threadIdx.x] = i < n ? __half2float(x[i]) : 0.f;
            }
            t += 64;
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            for (; t < n; t += 64) {
                const int i = t + threadIdx.x;
                float s_next = i < n ? __half2float(x[i]) : 0.f;
                compute_tile(stage);
                stage ^= 1;
                {
                    auto &s = s_stage[stage];
                    s[threadIdx.x] = s_next;
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            compute_tile(stage);
        }
    }
    y[threadIdx.x] = sum;
}

template __global__ void ragged<const __half>(const __half *, float *, int);
