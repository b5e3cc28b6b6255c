#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TILE 4096
#define THREADS 256

// Every block says that it is there, and waits for the others: the launch has as
// many blocks as run at once. With two stages of the tile fewer would.
__device__ void wait_for_all(unsigned *arrived)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
}

// pipelinify: launch scaled_by_all
//   sizes    n=0,1,4096,4097,8192,13000
//   target   n=4194304
//   grid     1
//   block    256
//   x:       in    [n] random
//   sums:    inout [256] random
//   scaled:  inout [256] random
//   arrived: inout [1] const(0)
//   n:       n
__global__ void __launch_bounds__(THREADS)
scaled_by_all(const float *__restrict__ x, float *sums, float *__restrict__ scaled,
              unsigned *arrived, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 0e41c73e
    int base = blockIdx.x * TILE;
    if (base < n) {
        for (int i = threadIdx.x; i < TILE; i += THREADS)
            part[i] = base + i < n ? x[base + i] : 0.0f;
        base += gridDim.x * TILE;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; base < n; base += gridDim.x * TILE) {
            float part_next[TILE / THREADS];
            #pragma unroll
            for (int slot = 0; slot < TILE / THREADS; ++slot) {
                int i = threadIdx.x + slot * THREADS;
                part_next[slot] = base + i < n ? x[base + i] : 0.0f;
            }
            for (int i = threadIdx.x; i < TILE; i += THREADS)
                sum += part[i] * part[i ^ 1];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < TILE / THREADS; ++slot) {
                int i = threadIdx.x + slot * THREADS;
                part[i] = part_next[slot];
            }
            __syncthreads();
        }
        for (int i = threadIdx.x; i < TILE; i += THREADS)
            sum += part[i] * part[i ^ 1];
        __syncthreads();
    }
    sums[blockIdx.x * THREADS + threadIdx.x] = sum;
    wait_for_all(arrived);

    float total = 0.0f;
    for (int block = 0; block < gridDim.x; ++block)
        total += sums[block * THREADS + (threadIdx.x ^ 1)];
    scaled[blockIdx.x * THREADS + threadIdx.x] += sum / (1.0f + total * total);
}

// The same without a word to other blocks.
// pipelinify: launch sums_of_each
//   sizes    n=0,1,4096,4097,8192,13003,30000
//   target   n=4194304
//   grid     2
//   block    256
//   x:       in    [n] random
//   sums:    inout [512] random
//   n:       n
__global__ void __launch_bounds__(THREADS)
sums_of_each(const float *__restrict__ x, float *sums, int n)
{
    constexpr int stages = 3;
    __shared__ __align__(16) float part_stage[stages][TILE];
    float sum = 0.0f;

    // pipelinify: cp.async, 3 stages, source 0e41c73e
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == THREADS && TILE % 4 == 0 && (size_t)x % 16 == 0;
    int base_load = blockIdx.x * TILE, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n) {
            if (joined) {
                for (int i = 4 * threadIdx.x; i < TILE; i += 4 * THREADS) {
                    if (base_load + i + 3 < n) {
                        __pipeline_memcpy_async(&part_stage[load_stage][i], &x[base_load + i], 16);
                    } else {
                        for (int each = 0; each < 4; ++each) {
                            if (base_load + i + each < n)
                                (&part_stage[load_stage][i])[each] = (&x[base_load + i])[each];
                            else
                                (&part_stage[load_stage][i])[each] = 0.0f;
                        }
                    }
                }
            } else {
                for (int i = threadIdx.x; i < TILE; i += THREADS)
                    __pipeline_memcpy_async(&part_stage[load_stage][i], &x[base_load + i],
                                            sizeof(float), (base_load + i < n) ? 0 : sizeof(float));
            }
            base_load += gridDim.x * TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int base = blockIdx.x * TILE; base < n; base += gridDim.x * TILE) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = threadIdx.x; i < TILE; i += THREADS)
            sum += part_stage[stage][i] * part_stage[stage][i ^ 1];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    sums[blockIdx.x * THREADS + threadIdx.x] = sum;
}
