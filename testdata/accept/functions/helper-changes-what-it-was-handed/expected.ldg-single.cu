// A helper that waits writes what an argument by value was read from: an element, a member behind a pointer, what a reference is of; and a template's number is an int there.
#include <cuda_runtime.h>

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
    __shared__ float tile[64];
    float sum = 0.0f;
    int bins[4] = {1, 2, 3, 4};
    // pipelinify: ldg-single, 1 stage, source 113b21b1
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            int weight = bins[1];
            bins[1] += 5;
            for (int i = 0; i < 64; ++i)
                sum += tile[i ^ threadIdx.x] * weight;
        };
        tile[threadIdx.x] = (x + k)[threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float tile_next = (x + k)[threadIdx.x];
            compute_tile();
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        compute_tile();
    }
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
    __shared__ float tile[64];
    float sum = 0.0f;
    Histogram h = {{1, 2}, 3};
    const Histogram *at = &h;
    // pipelinify: ldg-single, 1 stage, source ca050bc4
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            int before = at->counts[1];
            h.counts[1] += 3;
            for (int i = 0; i < 64; ++i)
                sum += tile[i ^ threadIdx.x] * (h.counts[1] + before);
        };
        tile[threadIdx.x] = (x + k)[threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float tile_next = (x + k)[threadIdx.x];
            compute_tile();
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        compute_tile();
    }
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
    __shared__ float tile[64];
    float sum = 0.0f;
    int count = 1;
    const int &so_far = count;
    // pipelinify: ldg-single, 1 stage, source 6e619229
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            int before = so_far;
            ++count;
            for (int i = 0; i < 64; ++i)
                sum += tile[i ^ threadIdx.x] * before;
        };
        tile[threadIdx.x] = (x + k)[threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float tile_next = (x + k)[threadIdx.x];
            compute_tile();
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        compute_tile();
    }
    y[threadIdx.x] = sum + count;
}

template <unsigned LAG>
__device__ void delayed(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 528d78fd
    int k = 0, k_tile = k;
    if (k < n) {
        tile[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float tile_next = x[k + threadIdx.x];
            for (int i = 0; i < 64; ++i)
                sum += tile[i ^ threadIdx.x] * ((k_tile - ((int)LAG)) / 2);
            k_tile += 64;
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += tile[i ^ threadIdx.x] * ((k_tile - ((int)LAG)) / 2);
        __syncthreads();
    }
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
    __shared__ float tile[64];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 82e68598
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            float *s = tile;
            for (int i = 0; i < 64; ++i)
                sum += s[i ^ threadIdx.x] * bytes_of(s);
        };
        {
            float *s = tile;
            s[threadIdx.x] = (x + k)[threadIdx.x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float s_next = (x + k)[threadIdx.x];
            compute_tile();
            __syncthreads();
            {
                float *s = tile;
                s[threadIdx.x] = s_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
    y[threadIdx.x] = sum;
}
