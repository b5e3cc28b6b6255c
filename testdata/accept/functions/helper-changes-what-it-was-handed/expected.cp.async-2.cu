// A helper that waits writes what an argument by value was read from: an element, a member behind a pointer, what a reference is of; and a template's number is an int there.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

struct Histogram {
    int counts[2];
    int seen;
};

__device__ __forceinline__ void count_and_weigh(float *s, const float *src, int *bins, int weight, float &acc)
{
    s[threadIdx.x] = src[threadIdx.x];
    __syncthreads();
    bins[1] += 5;
    for (int i = 0; i < 64; ++i)
        acc += s[i ^ threadIdx.x] * weight;
    __syncthreads();
}

__device__ __forceinline__ void tally(float *s, const float *src, Histogram &h, int before, float &acc)
{
    s[threadIdx.x] = src[threadIdx.x];
    __syncthreads();
    h.counts[1] += 3;
    for (int i = 0; i < 64; ++i)
        acc += s[i ^ threadIdx.x] * (h.counts[1] + before);
    __syncthreads();
}

__device__ __forceinline__ void number(float *s, const float *src, int &count, int before, float &acc)
{
    s[threadIdx.x] = src[threadIdx.x];
    __syncthreads();
    ++count;
    for (int i = 0; i < 64; ++i)
        acc += s[i ^ threadIdx.x] * before;
    __syncthreads();
}

template <int LAG>
__device__ __forceinline__ void lagged(float *s, const float *src, int k, float &acc)
{
    s[threadIdx.x] = src[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
        acc += s[i ^ threadIdx.x] * ((k - LAG) / 2);
    __syncthreads();
}

template <class T>
__device__ int bytes_of(const T &what)
{
    return sizeof what;
}

__device__ __forceinline__ void by_size(float *s, const float *src, float &acc)
{
    s[threadIdx.x] = src[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
        acc += s[i ^ threadIdx.x] * bytes_of(s);
    __syncthreads();
}

// pipelinify: launch element
//   sizes    n=0,64,128,192,512
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n] random
//   y:       out [64]
//   n:       n
__global__ void __launch_bounds__(64) element(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile_stage[2][64];
    float sum = 0.0f;
    int bins[4] = {1, 2, 3, 4};
    // pipelinify: cp.async, 2 stages, source 113b21b1
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &(x + k_load)[threadIdx.x], sizeof(float));
            k_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        int weight = bins[1];
        bins[1] += 5;
        for (int i = 0; i < 64; ++i)
            sum += tile_stage[stage][i ^ threadIdx.x] * weight;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum + bins[1];
}

// pipelinify: launch behind_a_pointer
//   sizes    n=0,64,128,192,512
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n] random
//   y:       out [64]
//   n:       n
__global__ void __launch_bounds__(64) behind_a_pointer(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile_stage[2][64];
    float sum = 0.0f;
    Histogram h = {{1, 2}, 3};
    const Histogram *at = &h;
    // pipelinify: cp.async, 2 stages, source ca050bc4
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &(x + k_load)[threadIdx.x], sizeof(float));
            k_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        int before = at->counts[1];
        h.counts[1] += 3;
        for (int i = 0; i < 64; ++i)
            sum += tile_stage[stage][i ^ threadIdx.x] * (h.counts[1] + before);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum + h.seen;
}

// pipelinify: launch reference
//   sizes    n=0,64,128,192,512
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n] random
//   y:       out [64]
//   n:       n
__global__ void __launch_bounds__(64) reference(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile_stage[2][64];
    float sum = 0.0f;
    int count = 1;
    const int &so_far = count;
    // pipelinify: cp.async, 2 stages, source 6e619229
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &(x + k_load)[threadIdx.x], sizeof(float));
            k_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        int before = so_far;
        ++count;
        for (int i = 0; i < 64; ++i)
            sum += tile_stage[stage][i ^ threadIdx.x] * before;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum + count;
}

template <unsigned LAG>
__device__ void delayed(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile_stage[2][64];
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 528d78fd
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &x[k_load + threadIdx.x], sizeof(float));
            k_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 64; ++i)
            sum += tile_stage[stage][i ^ threadIdx.x] * ((k - ((int)LAG)) / 2);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    y[threadIdx.x] = sum;
}

// pipelinify: launch delay_five
//   sizes    n=0,64,128,192,512
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n] random
//   y:       out [64]
//   n:       n
__global__ void __launch_bounds__(64) delay_five(const float *__restrict__ x, float *__restrict__ y, int n)
{
    delayed<5>(x, y, n);
}

// pipelinify: launch size_of_a_pointer
//   sizes    n=0,64,128,192,512
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n] random
//   y:       out [64]
//   n:       n
__global__ void __launch_bounds__(64) size_of_a_pointer(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile_stage[2][64];
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 82e68598
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            float *s = tile_stage[load_stage];
            __pipeline_memcpy_async(&s[threadIdx.x], &(x + k_load)[threadIdx.x], sizeof(float));
            k_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        float *s = tile_stage[stage];
        for (int i = 0; i < 64; ++i)
            sum += s[i ^ threadIdx.x] * bytes_of(s);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}
