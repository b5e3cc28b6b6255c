// Numbers without signs: what is left of the input is no less than nothing, as the loop would
// have ended otherwise. So what compute reads of the last tile, this tile has.
#include <cuda_runtime.h>

constexpr unsigned T = 32;

// pipelinify: launch rest_by_min
//   sizes    n=0,1,31,32,33,64,100,130
//   target   n=65536
//   grid     1
//   block    32
//   x:       in  [n + 1]
//   out:     out [32]
//   n:       n
__global__ void rest_by_min(const float *__restrict__ x, float *__restrict__ out, unsigned n)
{
    __shared__ float tile[T];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 2dec38a4
    unsigned f = 0;
    unsigned int f_tile = f;
    if (f < n) {
        if (f + threadIdx.x < n)
            tile[threadIdx.x] = x[f + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (f += T; f < n; f += T) {
            float tile_next;
            if (f + threadIdx.x < n)
                tile_next = x[f + threadIdx.x];
            for (unsigned j = 0; j < min(32u, n - f_tile); ++j)
                sum += tile[j] * (float)(j + threadIdx.x);
            f_tile += T;
            __syncthreads();
            if (f + threadIdx.x < n)
                tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (unsigned j = 0; j < min(32u, n - f_tile); ++j)
            sum += tile[j] * (float)(j + threadIdx.x);
    }
    out[threadIdx.x] = sum;
}

// The rest has a name, and is found without min; the tiles are counted in a wider type.
// pipelinify: launch rest_by_name
//   sizes    n=0,1,31,32,33,64,100,130
//   target   n=65536
//   grid     1
//   block    32
//   x:       in  [n + 1]
//   out:     out [32]
//   n:       n
__global__ void rest_by_name(const float *__restrict__ x, float *__restrict__ out, size_t n)
{
    __shared__ float tile[T];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 837ec4fe
    size_t f = 0;
    size_t f_tile = f;
    if (f < n) {
        auto compute_tile = [&]() {
            const size_t rest = n - f_tile < T ? n - f_tile : T;
            for (size_t j = 0; j < rest; ++j)
                sum += tile[j] * (float)(j + threadIdx.x);
        };
        if (f + threadIdx.x < n)
            tile[threadIdx.x] = x[f + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (f += T; f < n; f += T) {
            float tile_next;
            if (f + threadIdx.x < n)
                tile_next = x[f + threadIdx.x];
            compute_tile();
            f_tile += T;
            __syncthreads();
            if (f + threadIdx.x < n)
                tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        compute_tile();
    }
    out[threadIdx.x] = sum;
}

// The guard says it the other way round; the step stands in the body.
// pipelinify: launch guard_by_rest
//   sizes    n=0,1,31,32,33,64,100,130
//   target   n=65536
//   grid     1
//   block    32
//   x:       in  [n + 1]
//   out:     out [32]
//   n:       n
__global__ void guard_by_rest(const float *__restrict__ x, float *__restrict__ out, unsigned n)
{
    __shared__ float tile[T];
    float sum = 0.f;
    unsigned f = 0;
    // pipelinify: ldg-single, 1 stage, source b198c341
    unsigned int f_tile = f;
    if (n > f) {
        if (threadIdx.x < n - f)
            tile[threadIdx.x] = x[f + threadIdx.x];
        f += T;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (n > f) {
            float tile_next;
            if (threadIdx.x < n - f)
                tile_next = x[f + threadIdx.x];
            for (unsigned j = 0; j < min(32u, n - f_tile); ++j)
                sum += tile[j] * (float)(j + threadIdx.x);
            f_tile += T;
            __syncthreads();
            if (threadIdx.x < n - f)
                tile[threadIdx.x] = tile_next;
            f += T;
            __syncthreads();
        }
        for (unsigned j = 0; j < min(32u, n - f_tile); ++j)
            sum += tile[j] * (float)(j + threadIdx.x);
    }
    out[threadIdx.x] = sum;
}
