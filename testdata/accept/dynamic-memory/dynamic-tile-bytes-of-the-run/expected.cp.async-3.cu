// The run decides how many bytes of dynamic shared memory a launch gives: up to 48 KiB,
// of which a block has room for several.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    // 3 stages, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given % 384 != 1)
        __trap();
    struct tile_stages {
        float *first;
        unsigned bytes;
        __device__ float (&operator[](int stage) const)[] {
            return *reinterpret_cast<float (*)[]>(reinterpret_cast<char *>(first) + stage * bytes);
        }
    };
    const tile_stages tile_stage = {tile, tile_given / 3};
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source b648975a
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            auto &tile = tile_stage[load_stage];
            __pipeline_memcpy_async(&tile[threadIdx.x], &a[k_load + threadIdx.x], sizeof(float),
                                    (k_load + threadIdx.x < n) ? 0 : sizeof(float));
            k_load += blockDim.x;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < 2; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 2 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += blockDim.x) {
        __pipeline_wait_prior(1);
        __syncthreads();
        copy_tile(stage == 0 ? 2 : stage - 1);
        auto &tile = tile_stage[stage];
        for (int i = 0; i < blockDim.x; ++i)
            sum += tile[i] * (i + blockIdx.x);
        stage = stage == 2 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    float *squares = tile + blockDim.x;
    float sum = 0.f;
    for (int k = 0; k < n; k += blockDim.x) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        squares[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] + 1.f : 0.f;
        __syncthreads();
        for (int i = 0; i < blockDim.x; ++i)
            sum += squares[i] * tile[blockDim.x - 1 - i] * (i + blockIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

void choose(int *bytes);

void run(const float *a, float *out, int n, int threads)
{
    int bytes = threads * 4;
    cudaFuncSetAttribute(by_parameter, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     3 * ((threads * sizeof(float) + 127) / 128 * 128) + 1);
    by_parameter<<<2, threads, 3 * ((threads * sizeof(float) + 127) / 128 * 128) + 1>>>(a, out, n);
    if (n > 100) {
        bytes = 512;
        by_assigned<<<2, 64, bytes>>>(a, out, n);
    }
    choose(&bytes);
    for (int round = 0; round < n; ++round)
        if (round % 2)
            by_assigned<<<2, 64, bytes>>>(a, out, n);
        else
            by_assigned<<<2, 32, bytes>>>(a, out, n);
    by_assigned<<<2, threads, bytes > 512 ? bytes : 512>>>(a, out, n);
}
