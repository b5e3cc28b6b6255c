// The run decides how many bytes of dynamic shared memory a launch gives: up to 48 KiB,
// of which a block has room for several.
#include <cuda_runtime.h>

// By a parameter.
//
// pipelinify: launch by_parameter
//   sizes  n=0,1,63,64,65,200 T=64
//   sizes  n=33,100 T=32,48
//   grid   2
//   block  T
//   smem   T * 4
//   a:     in  [n + 1] random
//   out:   out [2 * T]
//   n:     n
__global__ void by_parameter(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    // 2 stages, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given % 256 != 1)
        __trap();
    struct tile_stages {
        float *first;
        unsigned bytes;
        __device__ float (&operator[](int stage) const)[] {
            return *reinterpret_cast<float (*)[]>(reinterpret_cast<char *>(first) + stage * bytes);
        }
    };
    const tile_stages tile_stage = {tile, tile_given / 2};
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source b648975a
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &tile = tile_stage[stage];
            for (int i = 0; i < blockDim.x; ++i)
                sum += tile[i] * (i + blockIdx.x);
        };
        {
            auto &tile = tile_stage[0];
            tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += blockDim.x; k < n; k += blockDim.x) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            compute_tile();
            stage ^= 1;
            {
                auto &tile = tile_stage[stage];
                tile[threadIdx.x] = tile_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// By a variable that is set on one way, and handed on.
//
// pipelinify: launch by_assigned
//   sizes  n=0,1,63,64,65,200 T=64
//   sizes  n=33,100 T=32,48
//   grid   2
//   block  T
//   smem   T * 8
//   a:     in  [n + 1] random
//   out:   out [2 * T]
//   n:     n
__global__ void by_assigned(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    // 2 stages, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given % 256 != 1)
        __trap();
    struct tile_stages {
        float *first;
        unsigned bytes;
        __device__ float (&operator[](int stage) const)[] {
            return *reinterpret_cast<float (*)[]>(reinterpret_cast<char *>(first) + stage * bytes);
        }
    };
    const tile_stages tile_stage = {tile, tile_given / 2};
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source ff2eb148
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &tile = tile_stage[stage];
            float *squares = tile + blockDim.x;
            for (int i = 0; i < blockDim.x; ++i)
                sum += squares[i] * tile[blockDim.x - 1 - i] * (i + blockIdx.x);
        };
        {
            auto &tile = tile_stage[0];
            float *squares = tile + blockDim.x;
            tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            squares[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] + 1.f : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += blockDim.x; k < n; k += blockDim.x) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            float squares_next = k + threadIdx.x < n ? a[k + threadIdx.x] + 1.f : 0.f;
            compute_tile();
            stage ^= 1;
            {
                auto &tile = tile_stage[stage];
                float *squares = tile + blockDim.x;
                tile[threadIdx.x] = tile_next;
                squares[threadIdx.x] = squares_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

void choose(int *bytes);

void run(const float *a, float *out, int n, int threads)
{
    int bytes = threads * 4;
    cudaFuncSetAttribute(by_parameter, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     2 * ((threads * sizeof(float) + 127) / 128 * 128) + 1);
    by_parameter<<<2, threads, 2 * ((threads * sizeof(float) + 127) / 128 * 128) + 1>>>(a, out, n);
    if (n > 100) {
        bytes = 512;
        cudaFuncSetAttribute(by_assigned, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     2 * ((bytes + 127) / 128 * 128) + 1);
        by_assigned<<<2, 64, 2 * ((bytes + 127) / 128 * 128) + 1>>>(a, out, n);
    }
    choose(&bytes);
    for (int round = 0; round < n; ++round)
        if (round % 2)
            cudaFuncSetAttribute(by_assigned, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     2 * ((bytes + 127) / 128 * 128) + 1),
            by_assigned<<<2, 64, 2 * ((bytes + 127) / 128 * 128) + 1>>>(a, out, n);
        else
            cudaFuncSetAttribute(by_assigned, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     2 * ((bytes + 127) / 128 * 128) + 1),
            by_assigned<<<2, 32, 2 * ((bytes + 127) / 128 * 128) + 1>>>(a, out, n);
    cudaFuncSetAttribute(by_assigned, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     2 * (((bytes > 512 ? bytes : 512) + 127) / 128 * 128) + 1);
    by_assigned<<<2, threads, 2 * (((bytes > 512 ? bytes : 512) + 127) / 128 * 128) + 1>>>(a, out, n);
}
