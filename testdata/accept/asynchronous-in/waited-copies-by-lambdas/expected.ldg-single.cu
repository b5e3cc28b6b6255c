// Lambdas that copy a tile asynchronously.
#include <cuda_pipeline.h>
#define T 64

// pipelinify: launch alone
//   sizes    tiles=0,1,2,3
//   block    64
//   a:       in [tiles * 64] random
//   out:     out [64]
//   tiles:   tiles
__global__ void alone(const float *__restrict__ a, float *__restrict__ out, int tiles)
{
    __shared__ float s[T];
    float sum = 0;
    auto load = [&](int k) {
        s[threadIdx.x] = a[k * T + threadIdx.x];
    };
    auto load_fetch = [&](int k) {
        float s_next = a[k * T + threadIdx.x];
        return s_next;
    };
    auto load_store = [&](float s_next) {
        s[threadIdx.x] = s_next;
    };
    // pipelinify: ldg-single, 1 stage, source 72dfda26
    {
        int k = 0;
        if (k < tiles) {
            load(k);
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++k; k < tiles; ++k) {
                auto load_next = load_fetch(k);
                for (int j = 0; j < T; ++j)
                    sum += s[(threadIdx.x + j) % T] * (j + 1);
                __syncthreads();
                load_store(load_next);
                __syncthreads();
            }
            for (int j = 0; j < T; ++j)
                sum += s[(threadIdx.x + j) % T] * (j + 1);
        }
    }
    out[threadIdx.x] = sum;
}

// It serves in front of the loop, too.
// pipelinify: launch twice
//   sizes    tiles=1,2,3
//   block    64
//   a:       in [tiles * 64] random
//   out:     out [64]
//   tiles:   tiles
__global__ void twice(const float *__restrict__ a, float *__restrict__ out, int tiles)
{
    __shared__ float s[T];
    float sum = 0;
    auto load = [&](int k) {
        __pipeline_memcpy_async(&s[threadIdx.x], &a[k * T + threadIdx.x], 4);
        __pipeline_commit();
    };
    auto load_plain = [&](int k) {
        s[threadIdx.x] = a[k * T + threadIdx.x];
    };
    auto load_plain_fetch = [&](int k) {
        float s_next = a[k * T + threadIdx.x];
        return s_next;
    };
    auto load_plain_store = [&](float s_next) {
        s[threadIdx.x] = s_next;
    };
    load(0);
    __pipeline_wait_prior(0);
    __syncthreads();
    const float first = s[T - 1 - threadIdx.x];
    __syncthreads();
    // pipelinify: ldg-single, 1 stage, source 639f8dff
    {
        int k = 0;
        if (k < tiles) {
            load_plain(k);
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++k; k < tiles; ++k) {
                auto load_plain_next = load_plain_fetch(k);
                for (int j = 0; j < T; ++j)
                    sum += s[(threadIdx.x + j) % T] * (j + 1);
                __syncthreads();
                load_plain_store(load_plain_next);
                __syncthreads();
            }
            for (int j = 0; j < T; ++j)
                sum += s[(threadIdx.x + j) % T] * (j + 1);
        }
    }
    out[threadIdx.x] = sum + first;
}
