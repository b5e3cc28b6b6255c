// Records that say something else where they are no constants, as registers are: by a method, by a
// conversion, or by a template that then takes their copies.
#include <cuda_runtime.h>

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
    // pipelinify: ldg-single, 1 stage, source 521039e7
    int t = 0;
    if (t < tiles) {
        part[threadIdx.x] = levels[t * 64 + threadIdx.x].scaled();
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float part_next = levels[t * 64 + threadIdx.x].scaled();
            for (int k = 0; k < 64; ++k)
                sum += part[k] * (float)((k ^ threadIdx.x) & 3);
            __syncthreads();
            part[threadIdx.x] = part_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (float)((k ^ threadIdx.x) & 3);
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
    // pipelinify: ldg-single, 1 stage, source 26b05b48
    int t = 0;
    if (t < tiles) {
        part[threadIdx.x] = levels[t * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float part_next = levels[t * 64 + threadIdx.x];
            for (int k = 0; k < 64; ++k)
                sum += part[k] * (float)((k ^ threadIdx.x) & 3);
            __syncthreads();
            part[threadIdx.x] = part_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (float)((k ^ threadIdx.x) & 3);
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
    __shared__ Sample part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = samples[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k].value * (float)((k ^ threadIdx.x) & 3);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
