// Statements between every two barriers: those that conflict stay behind one, the others do not ask for it.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

struct Scene {
    float shade[64];
    int changed;
};

// pipelinify: launch paint
//   sizes  layers=0,1,2,3,6
//   target layers=8192
//   grid   1
//   block  64
//   colour: in  [layers * 64] random
//   canvas: out [64]
//   layers: layers
__global__ void paint(const float *__restrict__ colour, float *__restrict__ canvas, int layers)
{
    __shared__ float layer_stage[2][64];
    __shared__ Scene scene;
    const int x = threadIdx.x;
    float seen = 0.0f, inked = 0.0f;
    scene.shade[x] = 0.01f * x;
    if (x == 0)
        scene.changed = 0;
    __syncthreads();

    // pipelinify: cp.async, 2 stages, source 6b0cb952
    int l_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (l_load < layers) {
            __pipeline_memcpy_async(&layer_stage[load_stage][x], &colour[l_load * 64 + x], sizeof(float));
            ++l_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int l = 0; l < layers; ++l) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        seen += scene.shade[63 - x];
        __syncthreads();
        if (x == l % 64)
            scene.changed = l;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            inked += layer_stage[stage][i] * (i <= x ? 0.5f : 0.125f);
        scene.shade[x] = inked + scene.changed;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    canvas[x] = seen + inked;
}
