// Launches by calls of the toolkit's, from templates, with bytes that a macro or a
// template's argument decides.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#ifndef TILE
#define TILE 64
#endif

// Launched by a call, too, and asked how many of its blocks fit.
//
// pipelinify: launch by_call
//   sizes  n=0,1,63,64,65,200
//   grid   2
//   block  64
//   smem   64 * 4
//   a:     in  [n + 1] random
//   out:   out [128]
//   n:     n
__global__ void by_call(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    // 4 stages of 256 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given != 4 * 256 + 1)
        __trap();
    auto &tile_stage = reinterpret_cast<float (&)[4][64]>(tile);
    float sum = 0.f;
    // pipelinify: cp.async, 4 stages, source b648975a
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
    for (int load_stage = 0; load_stage < 3; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 3 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += blockDim.x) {
        __pipeline_wait_prior(2);
        __syncthreads();
        copy_tile(stage == 0 ? 3 : stage - 1);
        auto &tile = tile_stage[stage];
        for (int i = 0; i < blockDim.x; ++i)
            sum += tile[i] * (i + blockIdx.x);
        stage = stage == 3 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Launched by a template of the host, with two sizes.
//
// pipelinify: launch by_template
//   sizes  n=0,1,63,64,65,200
//   grid   2
//   block  64
//   smem   64 * 4
//   a:     in  [n + 1] random
//   out:   out [128]
//   n:     n
__global__ void by_template(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    // 4 stages, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given % 512 != 1)
        __trap();
    struct tile_stages {
        float *first;
        unsigned bytes;
        __device__ float (&operator[](int stage) const)[] {
            return *reinterpret_cast<float (*)[]>(reinterpret_cast<char *>(first) + stage * bytes);
        }
    };
    const tile_stages tile_stage = {tile, tile_given / 4};
    float sum = 0.f;
    // pipelinify: cp.async, 4 stages, source b648975a
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
    for (int load_stage = 0; load_stage < 3; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 3 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += blockDim.x) {
        __pipeline_wait_prior(2);
        __syncthreads();
        copy_tile(stage == 0 ? 3 : stage - 1);
        auto &tile = tile_stage[stage];
        for (int i = 0; i < blockDim.x; ++i)
            sum += tile[i] * (i + blockIdx.x);
        stage = stage == 3 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Launched by a variable that holds it.
//
// pipelinify: launch by_variable
//   sizes  n=0,1,63,64,65,200
//   grid   2
//   block  64
//   smem   64 * 4
//   a:     in  [n + 1] random
//   out:   out [128]
//   n:     n
__global__ void by_variable(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    // 4 stages of 256 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given != 4 * 256 + 1)
        __trap();
    auto &tile_stage = reinterpret_cast<float (&)[4][64]>(tile);
    float sum = 0.f;
    // pipelinify: cp.async, 4 stages, source b648975a
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
    for (int load_stage = 0; load_stage < 3; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 3 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += blockDim.x) {
        __pipeline_wait_prior(2);
        __syncthreads();
        copy_tile(stage == 0 ? 3 : stage - 1);
        auto &tile = tile_stage[stage];
        for (int i = 0; i < blockDim.x; ++i)
            sum += tile[i] * (i + blockIdx.x);
        stage = stage == 3 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Another build may have another size.
//
// pipelinify: launch by_macro
//   sizes  n=0,1,63,64,65,200
//   grid   2
//   block  64
//   smem   64 * 4
//   a:     in  [n + 1] random
//   out:   out [128]
//   n:     n
__global__ void by_macro(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    // 4 stages, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given % 512 != 1)
        __trap();
    struct tile_stages {
        float *first;
        unsigned bytes;
        __device__ float (&operator[](int stage) const)[] {
            return *reinterpret_cast<float (*)[]>(reinterpret_cast<char *>(first) + stage * bytes);
        }
    };
    const tile_stages tile_stage = {tile, tile_given / 4};
    float sum = 0.f;
    // pipelinify: cp.async, 4 stages, source b648975a
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
    for (int load_stage = 0; load_stage < 3; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 3 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += blockDim.x) {
        __pipeline_wait_prior(2);
        __syncthreads();
        copy_tile(stage == 0 ? 3 : stage - 1);
        auto &tile = tile_stage[stage];
        for (int i = 0; i < blockDim.x; ++i)
            sum += tile[i] * (i + blockIdx.x);
        stage = stage == 3 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The type of the elements is an argument.
//
// pipelinify: launch by_type<double>
//   sizes  n=0,1,63,64,65,200
//   grid   2
//   block  64
//   smem   64 * 8
//   a:     in  [n + 1] random
//   out:   out [128]
//   n:     n
template <typename T>
__global__ void by_type(const T *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ T cells[];
    // 4 stages, and 1 byte more: a launch that gives another number is trapped
    unsigned cells_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(cells_given));
    if (cells_given % 512 != 1)
        __trap();
    struct cells_stages {
        T *first;
        unsigned bytes;
        __device__ T (&operator[](int stage) const)[] {
            return *reinterpret_cast<T (*)[]>(reinterpret_cast<char *>(first) + stage * bytes);
        }
    };
    const cells_stages cells_stage = {cells, cells_given / 4};
    float sum = 0.f;
    // pipelinify: cp.async, 4 stages, source 55db461f
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) &&
                  (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            auto &cells = cells_stage[load_stage];
            if (k_load + threadIdx.x < n) {
                __pipeline_memcpy_async(&cells[threadIdx.x], &a[k_load + threadIdx.x], sizeof(T));
            } else {
                cells[threadIdx.x] = T(0);
            }
            k_load += blockDim.x;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < 3; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 3 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += blockDim.x) {
        __pipeline_wait_prior(2);
        __syncthreads();
        copy_tile(stage == 0 ? 3 : stage - 1);
        auto &cells = cells_stage[stage];
        for (int i = 0; i < blockDim.x; ++i)
            sum += cells[i] * (i + blockIdx.x);
        stage = stage == 3 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int THREADS>
void launch(const float *a, float *out, int n)
{
    cudaFuncSetAttribute(by_template, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     4 * ((THREADS * sizeof(float) + 127) / 128 * 128) + 1);
    by_template<<<2, THREADS, 4 * ((THREADS * sizeof(float) + 127) / 128 * 128) + 1>>>(a, out, n);
}

void run(const float *a, const double *b, float *out, int n)
{
    const size_t bytes = 64 * sizeof(float);
    int blocks = 0, threads = 0;
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, by_call, bytes);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, by_call, 64, bytes + 3 * 256 + 1);
    by_call<<<blocks > 2 ? 2 : blocks, 64, bytes + 3 * 256 + 1>>>(a, out, n);
    void *arguments[] = {&a, &out, &n};
    cudaLaunchKernel((const void *)by_call, dim3(2), dim3(64), arguments, bytes + 3 * 256 + 1, 0);

    launch<64>(a, out, n);
    launch<128>(a, out, n);

    auto *kernel = &by_variable;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
    kernel<<<2, 64, bytes + 3 * 256 + 1>>>(a, out, n);

    cudaFuncSetAttribute(by_macro, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     4 * (((TILE * sizeof(float)) + 127) / 128 * 128) + 1);
    by_macro<<<2, TILE, 4 * (((TILE * sizeof(float)) + 127) / 128 * 128) + 1>>>(a, out, n);
    by_type<double><<<2, 64, 4 * ((64 * sizeof(double) + 127) / 128 * 128) + 1>>>(b, out, n);
}
