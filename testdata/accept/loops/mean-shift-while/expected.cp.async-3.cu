#include <cuda_pipeline.h>

// Mean shift: a flat-kernel step over all points, tiles walked by a while loop with a hand-kept offset.
struct Params { float bandwidth2; };   // host side

// pipelinify: launch mean_shift_step
//   sizes  n=1,31,64,65,128,190,256,320,448
//   target n=131072
//   grid   (n + 63) / 64
//   block  64
//   px:    in  [n] random
//   py:    in  [n] random
//   shifted_x: out [n]
//   shifted_y: out [n]
//   bw2:   0.3
//   n:     n
__global__ void mean_shift_step(const float *px, const float *py,
                                float *shifted_x, float *shifted_y,
                                float bw2, int n)
{
    constexpr int stages = 3;
    __shared__ float tx_stage[stages][64], ty_stage[stages][64];

    int   gid = blockIdx.x * 64 + threadIdx.x;
    float x = 0, y = 0;
    if (gid < n) { x = px[gid]; y = py[gid]; }

    float sx = 0, sy = 0;
    int   hits = 0;

    int done = 0;
    // pipelinify: cp.async, 3 stages, source 108dabee
    int done_load = done, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (done_load < n) {
            if (done_load + threadIdx.x < n) {
                __pipeline_memcpy_async(&tx_stage[load_stage][threadIdx.x], &px[done_load + threadIdx.x],
                                        sizeof(float));
                __pipeline_memcpy_async(&ty_stage[load_stage][threadIdx.x], &py[done_load + threadIdx.x],
                                        sizeof(float));
            }
            done_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (done < n) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        int m = min(64, n - done);
        for (int k = 0; k < m; k++) {
            float ex = tx_stage[stage][k] - x, ey = ty_stage[stage][k] - y;
            if (ex * ex + ey * ey <= bw2) { sx += tx_stage[stage][k]; sy += ty_stage[stage][k]; hits++; }
        }
        done += 64;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    if (gid < n) {
        shifted_x[gid] = hits ? sx / hits : x;
        shifted_y[gid] = hits ? sy / hits : y;
    }
}
