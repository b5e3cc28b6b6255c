// Configurations whose bytes are not set once, in sight, for this kernel alone.
#include <cuda_runtime.h>

#define TILE_SUM                                                                          \
    for (int i = 0; i < 64; ++i)                                                          \
    sum += tile[i] * (i + blockIdx.x)

// Another function is handed the configuration, and may set it.
__global__ void by_reference(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void prepare(cudaLaunchConfig_t &config);

void launch_by_reference(const float *a, float *out, int n)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = 4;
    config.blockDim = 64;
    config.dynamicSmemBytes = 256;
    prepare(config);
    cudaLaunchKernelEx(&config, by_reference, a, out, n);
}

// Launched twice, with different sizes.
__global__ void twice_set(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_twice_set(const float *a, float *out, int n)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = 4;
    config.blockDim = 64;
    config.dynamicSmemBytes = 256;
    cudaLaunchKernelEx(&config, twice_set, a, out, n);
    config.dynamicSmemBytes = 512;
    cudaLaunchKernelEx(&config, twice_set, a, out, n);
}

// Not every way to the launch comes past what sets it.
__global__ void set_by_one_branch(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_set_by_one_branch(const float *a, float *out, int n)
{
    cudaLaunchConfig_t config = {4, 64};
    if (n > 64) {
        config.dynamicSmemBytes = 256;
    }
    cudaLaunchKernelEx(&config, set_by_one_branch, a, out, n);
}

// Launched ahead of what sets it, the first time.
__global__ void launched_first(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_launched_first(const float *a, float *out, int n)
{
    cudaLaunchConfig_t config = {4, 64, 256};
    for (int i = 0; i < 2; ++i) {
        cudaLaunchKernelEx(&config, launched_first, a, out, n);
        config.dynamicSmemBytes = 512;
    }
}

// Another configuration is a copy of it.
__global__ void copied(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_copied(const float *a, float *out, int n)
{
    cudaLaunchConfig_t config = {4, 64, 256};
    cudaLaunchConfig_t other = config;
    other.gridDim = 8;
    cudaLaunchKernelEx(&other, copied, a, out, n);
}

// A pointer leads to it.
__global__ void pointed_to(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_pointed_to(const float *a, float *out, int n)
{
    cudaLaunchConfig_t config = {4, 64, 256};
    cudaLaunchConfig_t *at = &config;
    at->dynamicSmemBytes += 128;
    cudaLaunchKernelEx(&config, pointed_to, a, out, n);
}

// Another kernel is launched by it as well.
__global__ void shared_with_another(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

__global__ void another_kernel(float *out);

void launch_shared_with_another(const float *a, float *out, int n)
{
    cudaLaunchConfig_t config = {4, 64, 256};
    cudaLaunchKernelEx(&config, another_kernel, out);
    cudaLaunchKernelEx(&config, shared_with_another, a, out, n);
}

// What is given is asked for by others.
__global__ void asked_for(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void note(size_t bytes);

void launch_asked_for(const float *a, float *out, int n)
{
    cudaLaunchConfig_t config = {4, 64, 256};
    note(config.dynamicSmemBytes);
    cudaLaunchKernelEx(&config, asked_for, a, out, n);
}

// A lambda sets it.
__global__ void in_a_lambda(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_in_a_lambda(const float *a, float *out, int n)
{
    cudaLaunchConfig_t config = {4, 64, 256};
    auto more = [&] { config.dynamicSmemBytes = 512; };
    more();
    cudaLaunchKernelEx(&config, in_a_lambda, a, out, n);
}

// It is the caller's.
__global__ void of_the_caller(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_of_the_caller(const cudaLaunchConfig_t *config, const float *a, float *out, int n)
{
    cudaLaunchKernelEx(config, of_the_caller, a, out, n);
}

// Another build sets it.
__global__ void of_other_builds(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_of_other_builds(const float *a, float *out, int n)
{
    cudaLaunchConfig_t config = {4, 64, 256};
#ifdef MORE
    config.dynamicSmemBytes = 1024;
#endif
    cudaLaunchKernelEx(&config, of_other_builds, a, out, n);
}

// A function makes it.
__global__ void made_elsewhere(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

cudaLaunchConfig_t made(int n);

void launch_made_elsewhere(const float *a, float *out, int n)
{
    cudaLaunchConfig_t config = made(n);
    cudaLaunchKernelEx(&config, made_elsewhere, a, out, n);
}

// It gives no bytes.
__global__ void gives_nothing(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_gives_nothing(const float *a, float *out, int n)
{
    cudaLaunchConfig_t config = {4, 64};
    cudaLaunchKernelEx(&config, gives_nothing, a, out, n);
}

// A reference is another name of it.
__global__ void read_by_reference(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        TILE_SUM;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch_read_by_reference(const float *a, float *out, int n)
{
    cudaLaunchConfig_t config = {4, 64, 256};
    auto &same = config;
    same.dynamicSmemBytes = 512;
    cudaLaunchKernelEx(&config, read_by_reference, a, out, n);
}
