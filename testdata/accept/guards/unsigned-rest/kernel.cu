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
    for (unsigned f = 0; f < n; f += T) {
        if (f + threadIdx.x < n)
            tile[threadIdx.x] = x[f + threadIdx.x];
        __syncthreads();
        for (unsigned j = 0; j < min(32u, n - f); ++j)
            sum += tile[j] * (float)(j + threadIdx.x);
        __syncthreads();
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
    for (size_t f = 0; f < n; f += T) {
        const size_t rest = n - f < T ? n - f : T;
        if (f + threadIdx.x < n)
            tile[threadIdx.x] = x[f + threadIdx.x];
        __syncthreads();
        for (size_t j = 0; j < rest; ++j)
            sum += tile[j] * (float)(j + threadIdx.x);
        __syncthreads();
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
    while (n > f) {
        if (threadIdx.x < n - f)
            tile[threadIdx.x] = x[f + threadIdx.x];
        __syncthreads();
        for (unsigned j = 0; j < min(32u, n - f); ++j)
            sum += tile[j] * (float)(j + threadIdx.x);
        __syncthreads();
        f += T;
    }
    out[threadIdx.x] = sum;
}
