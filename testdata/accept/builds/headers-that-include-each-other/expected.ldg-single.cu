// Headers that each include all of the others, which a build may leave out.
#include <cuda_runtime.h>
#ifndef WITHOUT_MESHES
#include "mesh.h"
#include "zone.h"
#endif
#ifndef CELLS
#define CELLS 16
#endif

// pipelinify: launch relax
//   sizes n=32,64,96,128,256
//   target n=1048576
//   grid  4
//   block 32
//   value:  in    [4 * n]
//   out:    inout [128]
//   n: n
__global__ void relax(const float *__restrict__ value, float *__restrict__ out,
                      int n)
{
    __shared__ float cells[32];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 4f96853a
    int first = 0;
    if (first < n) {
        auto compute_tile = [&]() {
#if CELLS >= 32
            for (int j = 0; j < 32; ++j)
                sum += cells[j] * (j + 1);
#else
            for (int j = 0; j < CELLS; ++j)
                sum += cells[2 * j] * (j + 1);
#endif
        };
        cells[threadIdx.x] = value[blockIdx.x * n + first + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 32; first < n; first += 32) {
            float cells_next = value[blockIdx.x * n + first + threadIdx.x];
            compute_tile();
            __syncthreads();
            cells[threadIdx.x] = cells_next;
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
