// Blocks that ask in a loop's body whether the others have come; and blocks that go by
// atomics and wait for nobody.
#include <cuda_runtime.h>

#define TILE 4096
#define THREADS 256

__device__ unsigned now(const unsigned *at)
{
    return __ldcg(at);
}

__device__ void wait_asking(unsigned *arrived, unsigned goal)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned seen = atomicAdd(arrived, 1u) + 1;
        while (true) {
            if (seen >= goal)
                break;
            seen = now(arrived);
        }
    }
    __syncthreads();
}

__device__ void wait_together(unsigned *arrived, unsigned goal)
{
    __shared__ unsigned seen;
    if (threadIdx.x == 0)
        atomicAdd(arrived, 1u);
    do {
        __syncthreads();
        if (threadIdx.x == 0)
            seen = atomicMax(arrived, 0u);
        __syncthreads();
    } while (seen < goal);
}

// pipelinify: launch twice_around
//   sizes    n=0,1,4096,4097,13000
//   target   n=4194304
//   grid     1
//   block    256
//   x:       in    [n] random
//   sums:    inout [256] random
//   arrived: inout [1] const(0)
//   n:       n
__global__ void __launch_bounds__(THREADS)
twice_around(const float *__restrict__ x, float *__restrict__ sums, unsigned *arrived, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;

    for (int round = 1; round < 3; ++round) {
        for (int base = blockIdx.x * TILE; base < n; base += gridDim.x * TILE) {
            for (int i = threadIdx.x; i < TILE; i += THREADS)
                part[i] = base + i < n ? x[base + i] : 0.0f;
            __syncthreads();
            for (int i = threadIdx.x; i < TILE; i += THREADS)
                sum += part[i] * part[i ^ round];
            __syncthreads();
        }
        wait_asking(arrived, round * gridDim.x);
    }
    sums[blockIdx.x * THREADS + threadIdx.x] = sum;
}

// pipelinify: launch then_all
//   sizes    n=0,1,4096,4097,13000
//   target   n=4194304
//   grid     1
//   block    256
//   x:       in    [n] random
//   sums:    inout [256] random
//   arrived: inout [1] const(0)
//   n:       n
__global__ void __launch_bounds__(THREADS)
then_all(const float *__restrict__ x, float *__restrict__ sums, unsigned *arrived, int n)
{
    __shared__ float part[TILE];
    float sum = 0.0f;

    for (int base = blockIdx.x * TILE; base < n; base += gridDim.x * TILE) {
        for (int i = threadIdx.x; i < TILE; i += THREADS)
            part[i] = base + i < n ? x[base + i] : 0.0f;
        __syncthreads();
        for (int i = threadIdx.x; i < TILE; i += THREADS)
            sum += part[i] * part[i ^ 1];
        __syncthreads();
    }
    wait_together(arrived, gridDim.x);
    sums[blockIdx.x * THREADS + threadIdx.x] = sum;
}

// The largest sum, in the way of the programming guide.
__device__ void keep_largest(float *largest, float value)
{
    int *at = (int *)largest;
    int old = atomicAdd(at, 0), assumed;
    do {
        assumed = old;
        old = atomicCAS(at, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
}

// pipelinify: launch sums_and_places
//   sizes    n=0,1,4096,4097,13003,33000
//   target   n=4194304
//   grid     2
//   block    256
//   x:       in    [n] random
//   large:   inout [2048] const(0)
//   largest: inout [1] const(-1000)
//   used:    inout [1] const(0)
//   n:       n
__global__ void __launch_bounds__(THREADS)
sums_and_places(const float *__restrict__ x, float *__restrict__ large, float *__restrict__ largest,
                unsigned *__restrict__ used, int n)
{
    __shared__ float part_stage[2][TILE];
    float sums[2] = {0.0f, 0.0f};

    // pipelinify: ldg, 2 stages, source 5360b1c3
    int base = blockIdx.x * TILE, stage = 0;
    if (base < n) {
        for (int i = threadIdx.x; i < TILE; i += THREADS)
            part_stage[0][i] = base + i < n ? x[base + i] : 0.0f;
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
                sums[i / THREADS % 2] += part_stage[stage][i] * part_stage[stage][i ^ 1];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < TILE / THREADS; ++slot) {
                int i = threadIdx.x + slot * THREADS;
                part_stage[stage][i] = part_next[slot];
            }
            __syncthreads();
        }
        for (int i = threadIdx.x; i < TILE; i += THREADS)
            sums[i / THREADS % 2] += part_stage[stage][i] * part_stage[stage][i ^ 1];
    }
    for (int i = 0; i < 2; ++i)
        if (sums[i] > 3000.0f) {
            unsigned place = atomicAdd(used, 1u);
            large[place] = sums[i];
        }
    keep_largest(largest, sums[0] + sums[1]);
}
