#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// Long tiles: two of one kernel's take 28 KB, and a block has 48 KB. One of the
// two loops can have a second stage.
#define SAMPLES 3584
#define THREADS 128

// Differences of neighbours, added up, then their deviation from the mean.
// pipelinify: launch roughness
//   sizes    n=0,1,3584,3585,7168,9000,14336
//   target   n=4194304
//   grid     2
//   block    128
//   height:  in    [2 * n] random
//   weight:  in    [2 * n] random
//   sums:    inout [256] random
//   n:       n
__global__ void __launch_bounds__(THREADS)
roughness(const float *__restrict__ height, const float *__restrict__ weight,
          float *__restrict__ sums, int n)
{
    __shared__ __align__(16) float profile_stage[2][SAMPLES];
    __shared__ float factor[SAMPLES];
    const float *row = height + (size_t)blockIdx.x * n;
    const float *scale = weight + (size_t)blockIdx.x * n;
    float mean = 0.0f, sum = 0.0f;

    // pipelinify: cp.async, 2 stages, source 384cc963
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == THREADS && SAMPLES % 4 == 0 && (size_t)height % 16 == 0 &&
                        n % 4 == 0;
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n) {
            if (joined) {
                for (int i = 4 * threadIdx.x; i < SAMPLES; i += 4 * THREADS)
                    __pipeline_memcpy_async(&profile_stage[load_stage][i], &row[base_load + i], 16,
                                            (base_load + i < n) ? 0 : 16);
            } else {
                for (int i = threadIdx.x; i < SAMPLES; i += THREADS)
                    __pipeline_memcpy_async(&profile_stage[load_stage][i], &row[base_load + i],
                                            sizeof(float), (base_load + i < n) ? 0 : sizeof(float));
            }
            base_load += SAMPLES;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int base = 0; base < n; base += SAMPLES) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = threadIdx.x; i < SAMPLES; i += THREADS)
            mean += profile_stage[stage][i] - profile_stage[stage][i ^ 1] * 0.5f;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    mean /= n > 0 ? n : 1;

    for (int base = 0; base < n; base += SAMPLES) {
        for (int i = threadIdx.x; i < SAMPLES; i += THREADS)
            factor[i] = base + i < n ? scale[base + i] : 0.0f;
        __syncthreads();
        for (int i = threadIdx.x; i < SAMPLES; i += THREADS)
            sum += (factor[i] - mean) * (factor[SAMPLES - 1 - i] - mean);
        __syncthreads();
    }
    sums[blockIdx.x * THREADS + threadIdx.x] += sum;
}

// The same sum for two kernels. The second has a table of its own beside it, so
// that two stages of the tile would be too much there.
__device__ float weighted(const float *__restrict__ row, int n)
{
    __shared__ float part[SAMPLES];
    float sum = 0.0f;

    for (int base = 0; base < n; base += SAMPLES) {
        for (int i = threadIdx.x; i < SAMPLES; i += THREADS)
            part[i] = base + i < n ? row[base + i] : 0.0f;
        __syncthreads();
        for (int i = threadIdx.x; i < SAMPLES; i += THREADS)
            sum += part[i] * part[i ^ 3];
        __syncthreads();
    }
    return sum;
}

// pipelinify: launch plain_energy
//   sizes    n=0,3585,9000
//   target   n=4194304
//   grid     2
//   block    128
//   rows:    in    [2 * n] random
//   sums:    inout [256] random
//   n:       n
__global__ void __launch_bounds__(THREADS)
plain_energy(const float *__restrict__ rows, float *__restrict__ sums, int n)
{
    sums[blockIdx.x * THREADS + threadIdx.x] += weighted(rows + (size_t)blockIdx.x * n, n);
}

// pipelinify: launch looked_up_energy
//   sizes    n=0,3585,9000
//   target   n=4194304
//   grid     2
//   block    128
//   rows:    in    [2 * n] random
//   curve:   in    [6144] random
//   sums:    inout [256] random
//   n:       n
__global__ void __launch_bounds__(THREADS)
looked_up_energy(const float *__restrict__ rows, const float *__restrict__ curve,
                 float *__restrict__ sums, int n)
{
    __shared__ float table[6144];
    for (int i = threadIdx.x; i < 6144; i += THREADS)
        table[i] = curve[i];
    __syncthreads();
    float sum = weighted(rows + (size_t)blockIdx.x * n, n);
    sums[blockIdx.x * THREADS + threadIdx.x] += table[(int)(fabsf(sum) * 64.0f) % 6144];
}

// How many bins stand beside the tile, the launch alone knows.
// pipelinify: launch level_counts
//   sizes    n=0,1,1024,1025,2048,5000 bins=16,300
//   target   n=4194304 bins=256
//   block    128
//   smem     4 * bins
//   levels:  in    [n] random
//   counts:  inout [bins] below(10)
//   n:       n
//   bins:    bins
__global__ void __launch_bounds__(THREADS)
level_counts(const float *__restrict__ levels, int *__restrict__ counts, int n, int bins)
{
    extern __shared__ int bin[];
    __shared__ float part[1024];
    for (int b = threadIdx.x; b < bins; b += THREADS)
        bin[b] = 0;

    for (int base = 0; base < n; base += 1024) {
        for (int i = threadIdx.x; i < 1024; i += THREADS)
            part[i] = base + i < n ? levels[base + i] : 0.0f;
        __syncthreads();
        for (int i = threadIdx.x; i < 1024; i += THREADS)
            atomicAdd(&bin[(int)(fabsf(part[i] - part[i ^ 1]) * 1000.0f) % bins], 1);
        __syncthreads();
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += THREADS)
        counts[b] += bin[b];
}

void count_levels(const float *levels, int *counts, int n, int bins)
{
    level_counts<<<1, THREADS, bins * sizeof(int)>>>(levels, counts, n, bins);
}
