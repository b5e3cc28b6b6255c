#include <cuda_pipeline.h>

// An object whose parts keep a reference to it: either class is read while the other one is.
struct table {
    struct row {
        const table &whole;
        int at;

        __device__ row(const table &t, int i) : whole{t}, at{i} {}
        __device__ float weight(int k) const { return whole.scale * (k + at); }
    };

    int cells;
    float scale;
    row first, last;

    __device__ table(int n, float s) : cells(n), scale(s), first(*this, 0), last(*this, n - 1) {}
};

// pipelinify: launch weighed
//   sizes    n=1,63,64,65,256
//   target   n=1048576
//   grid     4
//   block    64
//   in:      in  [n] random
//   out:     out [256]
//   n:       n
__global__ void __launch_bounds__(64)
    weighed(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile_stage[2][64];
    const table weights(n, 0.5f);
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source e2e24a59
    int at_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                    &in[at_load + threadIdx.x], sizeof(float),
                                    (at_load + threadIdx.x < n) ? 0 : sizeof(float));
            at_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int at = 0; at < n; at += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 64; ++i)
            sum += tile_stage[stage][i] * weights.last.weight(i + blockIdx.x) -
                   weights.first.weight(i);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
