// A helper that waits takes a long: what the kernel's instantiations hand it is one for each of
// them, whichever of them is looked at first.
#include <cuda_runtime.h>

__device__ void fetch(float *tile, const float *from, long at)
{
    tile[threadIdx.x] = from[at * 1000003 / 4 % 64 + threadIdx.x];
    __syncthreads();
}

// pipelinify: launch hashed<int>
//   sizes    n=0,64,128,6400
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [192]
//   y:       out [64]
//   n:       n
// pipelinify: launch hashed<long>
//   sizes    n=0,64,128,6400
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [192]
//   y:       out [64]
//   n:       n
template <typename I>
__global__ void hashed(const float *__restrict__ x, float *__restrict__ y, I n)
{
    __shared__ float tile_stage[2][64];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source d7d57108
    static_assert(__is_trivially_copyable(I) && !__is_same(I, volatile I),
                  "I must be plain data and not volatile");
    I i = 0;
    if (i < n) {
        int stage = 0;
        tile_stage[0][threadIdx.x] = x[((long)(i)) * 1000003 / 4 % 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 64; i < n; i += 64) {
            float tile_next = x[((long)(i)) * 1000003 / 4 % 64 + threadIdx.x];
            for (int j = 0; j < 64; ++j)
                sum = 0.5f * sum + tile_stage[stage][j ^ (threadIdx.x & 7)];
            stage ^= 1;
            tile_stage[stage][threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum = 0.5f * sum + tile_stage[stage][j ^ (threadIdx.x & 7)];
    }
    y[threadIdx.x] = sum;
}

template __global__ void hashed<long>(const float *, float *, long);
template __global__ void hashed<int>(const float *, float *, int);
