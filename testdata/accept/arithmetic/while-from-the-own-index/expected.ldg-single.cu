// Point charges by blocks: each thread goes on from its own index, and the last threads leave a tile earlier.
#include <cuda_runtime.h>

// pipelinify: launch potential
//   sizes  charges=0,64,65,100,128,191
//   target charges=65536
//   grid   1
//   block  64
//   charges: charges
//   charge:  in  [charges + 64] random
//   value:   out [64]
__global__ void potential(int charges, const float *__restrict__ charge, float *__restrict__ value)
{
    __shared__ float near_[64];
    float sum = 0.0f;
    int c = threadIdx.x;

    // pipelinify: ldg-single, 1 stage, source 78b838af
    if (c < charges) {
        near_[threadIdx.x] = charge[c];
        c += blockDim.x;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (c < charges) {
            float near_next = charge[c];
            // Those that are left see the charges of the tile before in the places of the others.
            for (int k = 0; k < 64; ++k)
                sum += near_[k] / (1.0f + k + threadIdx.x);
            __syncthreads();
            near_[threadIdx.x] = near_next;
            c += blockDim.x;
            __syncthreads();
        }
        // Those that are left see the charges of the tile before in the places of the others.
        for (int k = 0; k < 64; ++k)
            sum += near_[k] / (1.0f + k + threadIdx.x);
    }

    value[threadIdx.x] = sum;
}
