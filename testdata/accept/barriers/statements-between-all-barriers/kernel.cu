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

    for (int l = 0; l < layers; ++l) {
        seen += scene.shade[63 - x];
        __syncthreads();
        if (x == l % 64)
            scene.changed = l;
        __syncthreads();
        layer[x] = colour[l * 64 + x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            inked += layer[i] * (i <= x ? 0.5f : 0.125f);
        scene.shade[x] = inked + scene.changed;
        __syncthreads();
    }

    canvas[x] = seen + inked;
}
