#include <cuda_pipeline.h>

// Histogram into shared bins: the values are staged in tiles, the bins are counted up atomically.
// pipelinify: launch hist
//   sizes n=0,64,128,200,256,400,512,640
//   target n=262144
//   grid 2
//   block 64
//   data: in [n + 64] below(16)
//   bins: inout [16] const(0)
//   n: n
__global__ void hist(const unsigned *__restrict__ data, unsigned *__restrict__ bins, unsigned n)
{
    constexpr int stages = 3;
    __shared__ unsigned sbin[16], stage_stage[stages][64];
    if (threadIdx.x < 16) sbin[threadIdx.x] = 0;
    __syncthreads();
    // pipelinify: cp.async, 3 stages, source 56499b13
    unsigned i_load = blockIdx.x * 64;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            if (i_load + threadIdx.x < n) {
                __pipeline_memcpy_async(&stage_stage[load_stage][threadIdx.x],
                                        &data[i_load + threadIdx.x], sizeof(unsigned int));
            } else {
                stage_stage[load_stage][threadIdx.x] = 99u;
            }
            i_load += gridDim.x * 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage2 = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (unsigned i = blockIdx.x * 64; i < n; i += gridDim.x * 64) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage2 == 0 ? stages - 1 : stage2 - 1);
        for (unsigned j = threadIdx.x & 3; j < 64; j += 4)
            if (stage_stage[stage2][j] == (threadIdx.x >> 2))
                atomicAdd(&sbin[stage_stage[stage2][j]], 1u);
        stage2 = stage2 == stages - 1 ? 0 : stage2 + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], sbin[threadIdx.x]);
}
