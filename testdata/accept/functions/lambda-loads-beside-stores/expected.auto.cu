// One of two pointers is __restrict__, and lambdas get numbers: that tells loads from stores.
#include <cuda_runtime.h>

#define BINS 64

// pipelinify: launch running_sums
//   sizes  n=0,1,63,64,65,128,190,320 rows=1,2
//   target n=1000000 rows=2048
//   grid   rows
//   block  BINS
//   let    BINS = 64
//   x:     in    [rows * n] range(-1, 1)
//   out:   inout [rows * (n + BINS)] range(-1, 1)
//   n:     n
__global__ void running_sums(const float *__restrict__ x, float *out, int n)
{
    __shared__ float tile[BINS];
    const float *row = x + (size_t)blockIdx.x * n;
    float before = 0.0f;
    auto load = [&](int base, bool last) {
        if (!last || base + threadIdx.x < n)
            tile[threadIdx.x] = row[base + threadIdx.x];
        else
            tile[threadIdx.x] = 0.0f;
    };
    auto load_fetch = [&](int base, bool last) {
        struct {
            float tile_next;
        } next;
        if (!last || base + threadIdx.x < n)
            next.tile_next = row[base + threadIdx.x];
        else
            next.tile_next = 0.0f;
        return next;
    };
    auto load_store = [&](const auto &next) {
        tile[threadIdx.x] = next.tile_next;
    };
    // pipelinify: ldg-single, 1 stage, source 20e58934
    {
        int base = 0, base_tile = base;
        if (base < n) {
            auto compute_tile = [&]() {
                float sum = before;
                for (int i = 0; i < BINS; ++i) {
                    before += tile[i];
                    if (i <= threadIdx.x)
                        sum += tile[i];
                }
                out[blockIdx.x * (n + BINS) + base_tile + threadIdx.x] = sum;
            };
            load(base, base + BINS > n);
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (base += BINS; base < n; base += BINS) {
                auto load_next = load_fetch(base, base + BINS > n);
                compute_tile();
                base_tile += BINS;
                __syncthreads();
                load_store(load_next);
                __syncthreads();
            }
            compute_tile();
        }
    }
}

// pipelinify: launch scaled_rows
//   sizes  n=0,1,63,64,65,128,190,320 rows=1,2
//   target n=1000000 rows=2048
//   grid   rows
//   block  BINS
//   let    BINS = 64
//   x:     in    [rows * n] range(-1, 1)
//   out:   inout [rows * (n + BINS)] range(-1, 1)
//   n:     n
__global__ void scaled_rows(const float *__restrict__ x, float *out, int n)
{
    __shared__ float tile_stage[2][BINS];
    auto at = [&](int i) { return i < n ? x[(size_t)blockIdx.x * n + i] : 0.0f; };
    // pipelinify: ldg, 2 stages, source 1cc54ee3
    int base = 0, base_tile = base, stage = 0;
    if (base < n) {
        auto compute_tile = [&]() {
            float most = 1.0f;
            for (int i = 0; i < BINS; ++i)
                most = fmaxf(most, fabsf(tile_stage[stage][i]));
            out[blockIdx.x * (n + BINS) + base_tile + threadIdx.x] =
                tile_stage[stage][threadIdx.x] / most;
        };
        tile_stage[0][threadIdx.x] = at(base + threadIdx.x);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += BINS; base < n; base += BINS) {
            float tile_next = at(base + threadIdx.x);
            compute_tile();
            base_tile += BINS;
            stage ^= 1;
            tile_stage[stage][threadIdx.x] = tile_next;
            __syncthreads();
        }
        compute_tile();
    }
}
