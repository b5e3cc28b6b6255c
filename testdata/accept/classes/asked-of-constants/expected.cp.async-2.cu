// Records that say something else where they are no constants, as registers are: by a method, by a
// conversion, or by a template that then takes their copies.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

struct Level {
    float value;

    __device__ float scaled() const { return value + 1.f; }
    __device__ float scaled() { return value * 3.f; }
    __device__ operator float() const { return value - 2.f; }
    __device__ operator float() { return value * 5.f; }
};

// pipelinify: launch levels_scaled
//   sizes    tiles=0,1,2,3,5
//   target   tiles=4096
//   grid     1
//   block    64
//   levels:  in  [tiles * 64]
//   sums:    out [64]
//   tiles:   tiles
__global__ void levels_scaled(const Level *__restrict__ levels, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = levels[t * 64 + threadIdx.x].scaled();
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (float)((k ^ threadIdx.x) & 3);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

// pipelinify: launch levels_converted
//   sizes    tiles=0,1,2,3,5
//   target   tiles=4096
//   grid     1
//   block    64
//   levels:  in  [tiles * 64]
//   sums:    out [64]
//   tiles:   tiles
__global__ void levels_converted(const Level *__restrict__ levels, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = levels[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (float)((k ^ threadIdx.x) & 3);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

struct Sample {
    float value;

    template <class Other>
    __device__ Sample &operator=(Other &other)
    {
        value = other.value * 2.f;
        return *this;
    }
};

// pipelinify: launch samples_copied
//   sizes    tiles=0,1,2,3,5
//   target   tiles=4096
//   grid     1
//   block    64
//   samples: in  [tiles * 64]
//   sums:    out [64]
//   tiles:   tiles
__global__ void samples_copied(const Sample *__restrict__ samples, float *__restrict__ sums, int tiles)
{
    __shared__ Sample part_stage[2][64];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 1f428119
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < tiles) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &samples[t_load * 64 + threadIdx.x],
                                    sizeof(Sample));
            ++t_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < 64; ++k)
            sum += part_stage[stage][k].value * (float)((k ^ threadIdx.x) & 3);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    sums[threadIdx.x] = sum;
}
