// Sums of the rows of tiles, signed by half, by a helper of a header that asserts
// what it is made for.
#include "weighing.cuh"
#include <cuda_pipeline.h>

// pipelinify: launch signed_rows<8>
//   sizes    n=0,8,16,24,56
//   target   n=4096
//   grid     2
//   block    64
//   in:      in  [n * 128]
//   out:     out [2 * 64 * 8]
//   n:       n
template <int LANES>
__global__ void __launch_bounds__(64) signed_rows(const float *__restrict__ in, float *__restrict__ out, int n)
{
    using namespace weighing;
    __shared__ float rows_stage[2][8][64];
    float sums[LANES] = {};

    // pipelinify: cp.async, 2 stages, source 599fcbac
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (r_load < n)
        {
            for (int i = 0; i < 8; ++i)
                __pipeline_memcpy_async(&rows_stage[load_stage][i][threadIdx.x],
                                        &in[((r_load + i) * 2 + blockIdx.x) * 64 + threadIdx.x], sizeof(float));
            r_load += 8;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int r = 0; r < n; r += 8)
    {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        add_row<LANES, BY_ROWS>(sums, &rows_stage[stage][0][threadIdx.x / 2], 64);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    for (int l = 0; l < LANES; ++l)
        out[(blockIdx.x * 64 + threadIdx.x) * LANES + l] = sums[l];
}

void signed_rows_8(const float *in, float *out, int n) { signed_rows<8><<<2, 64>>>(in, out, n); }
