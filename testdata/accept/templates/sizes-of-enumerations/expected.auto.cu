// Tile sizes that are enumerators: of a byte that has no sign, of a short that has
// one, and of no integer that is named.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

enum Lanes : unsigned char { LANES = 192, SPARE = 250 };
enum Steps : short { BACK = -64, AHEAD = 64 };
enum { NOWHERE = -1, EVERYWHERE = 4 };

// pipelinify: launch lanes_and_spare
//   sizes tiles=0,1,2,3
//   target tiles=4096
//   grid   1
//   block  192
//   a:     in  [tiles * 512] random
//   c:     out [192]
//   tiles: tiles
__global__ void __launch_bounds__(LANES)
lanes_and_spare(const float *__restrict__ a, float *__restrict__ c, int tiles)
{
    constexpr int stages = 8;
    __shared__ float tile_stage[stages][LANES + SPARE];
    const int t = threadIdx.x;
    int cells = LANES + SPARE;
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source 75394620
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            for (int i = t; i < cells; i += LANES)
                __pipeline_memcpy_async(&tile_stage[load_stage][i], &a[k_load * 512 + i],
                                        sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 442; ++i)
            sum += tile_stage[stage][i] * (float)((i ^ t) & 3);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    c[t] = sum;
}

// pipelinify: launch steps_back
//   sizes n=0,64,128,256
//   target n=262144
//   grid   1
//   block  64
//   a:     in  [n + 256] random
//   c:     out [64]
//   n:     n
__global__ void __launch_bounds__(64)
steps_back(const float *__restrict__ a, float *__restrict__ c, int n)
{
    constexpr int stages = 8;
    __shared__ float tile_stage[stages][EVERYWHERE * AHEAD];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 8 stages, source 1234ae45
    int at_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            for (int r = NOWHERE < 0u ? EVERYWHERE : 0; r < EVERYWHERE; ++r)
                __pipeline_memcpy_async(&tile_stage[load_stage][r * AHEAD + t],
                                        &a[at_load + r * AHEAD + t], sizeof(float));
            at_load -= BACK;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int at = 0; at < n; at -= BACK) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < EVERYWHERE * AHEAD; ++i)
            sum += tile_stage[stage][i] * (float)((i + t) & 3);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    c[t] = sum;
}
