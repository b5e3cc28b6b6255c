// A helper that waits takes a long: what the kernel's instantiations hand it is one for each of
// them, whichever of them is looked at first.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    // pipelinify: cp.async, 2 stages, source d7d57108
    static_assert(__is_trivially_copyable(I) && !__is_same(I, volatile I),
                  "I must be plain data and not volatile");
    I i_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                    &x[((long)(i_load)) * 1000003 / 4 % 64 + threadIdx.x],
                                    sizeof(float));
            i_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    for (I i = 0; i < n; i += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < 64; ++j)
            sum = 0.5f * sum + tile_stage[stage][j ^ (threadIdx.x & 7)];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}

template __global__ void hashed<long>(const float *, float *, long);
template __global__ void hashed<int>(const float *, float *, int);
