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
    for (int first = 0; first < n; first += 32) {
        cells[threadIdx.x] = value[blockIdx.x * n + first + threadIdx.x];
        __syncthreads();
#if CELLS >= 32
        for (int j = 0; j < 32; ++j)
            sum += cells[j] * (j + 1);
#else
        for (int j = 0; j < CELLS; ++j)
            sum += cells[2 * j] * (j + 1);
#endif
        __syncthreads();
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
