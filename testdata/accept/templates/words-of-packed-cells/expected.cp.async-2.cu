// Cells of a template's type are read as words: one of float, four of char, of which a ragged tile may not have written all. The text asks for the one in sight.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch word_sums<float>
//   sizes    n=128,129,131,257,258,386
//   target   n=4096
//   grid     1
//   block    128
//   samples: in  [n] random
//   out:     out [128]
//   n:       n
template <typename T>
__global__ void __launch_bounds__(128)
word_sums(const T *__restrict__ samples, float *__restrict__ out, int n)
{
    __shared__ __align__(16) T part_stage[2][128];
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 2664cf32
    static_assert(__is_same(T, float),
                  "pipelined for this T alone: run pipelinify again for another");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int at_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            if (at_load + threadIdx.x < n)
                __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &samples[at_load + threadIdx.x], sizeof(T));
            at_load += 128;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int at = 0; at < n; at += 128) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        const int valid = min(128, n - at);
        for (int i = 0; i < valid; i += 4)
            sum += (*(const int *)&part_stage[stage][i] >> 9) * 0.001f * (i ^ threadIdx.x);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

template __global__ void word_sums<float>(const float *, float *, int);
