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
    {
        auto done_load = done;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (done_load < n) {
                auto &tx = tx_stage[load_stage];
                auto &ty = ty_stage[load_stage];
                auto &done = done_load;
                if (done + threadIdx.x < n) {
                    __pipeline_memcpy_async(&tx[threadIdx.x], &px[done + threadIdx.x], sizeof(float));
                    __pipeline_memcpy_async(&ty[threadIdx.x], &py[done + threadIdx.x], sizeof(float));
                }
                done += 64;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first stages - 1 tiles.
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
            copy_tile(load_stage);

        // Main loop: stages - 1 tiles are in flight while computing on one.
        int stage = 0;
        while (done < n) {
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            copy_tile(stage == 0 ? stages - 1 : stage - 1);
            {
                auto &tx = tx_stage[stage];
                auto &ty = ty_stage[stage];
                int m = min(64, n - done);
                for (int k = 0; k < m; k++) {
                    float ex = tx[k] - x, ey = ty[k] - y;
                    if (ex * ex + ey * ey <= bw2) { sx += tx[k]; sy += ty[k]; hits++; }
                }
                done += 64;
            }
            stage = stage == stages - 1 ? 0 : stage + 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }

    if (gid < n) {
        shifted_x[gid] = hits ? sx / hits : x;
        shifted_y[gid] = hits ? sy / hits : y;
    }
}
