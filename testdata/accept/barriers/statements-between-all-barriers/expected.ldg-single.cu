// Statements between every two barriers: those that conflict stay behind one, the others do not ask for it.
#include <cuda_runtime.h>

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
    __shared__ float layer[64];
    __shared__ Scene scene;
    const int x = threadIdx.x;
    float seen = 0.0f, inked = 0.0f;
    scene.shade[x] = 0.01f * x;
    if (x == 0)
        scene.changed = 0;
    __syncthreads();

    // pipelinify: ldg-single, 1 stage, source 6b0cb952
    int l = 0, l_tile = l;
    if (l < layers) {
        auto compute_tile = [&]() {
            seen += scene.shade[63 - x];
            __syncthreads();
            if (x == l_tile % 64)
                scene.changed = l_tile;
            __syncthreads();
            for (int i = 0; i < 64; ++i)
                inked += layer[i] * (i <= x ? 0.5f : 0.125f);
            scene.shade[x] = inked + scene.changed;
        };
        layer[x] = colour[l * 64 + x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++l; l < layers; ++l) {
            float layer_next = colour[l * 64 + x];
            compute_tile();
            ++l_tile;
            __syncthreads();
            layer[x] = layer_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }

    canvas[x] = seen + inked;
}
