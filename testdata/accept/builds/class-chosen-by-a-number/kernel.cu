// A build's number chooses a class under another name, and its word a class: the texts stop
// where another one is chosen.
#include <type_traits>

#ifndef MODE
#define MODE 0
#endif
#ifndef RULE
#define RULE Each
#endif

struct Each { __device__ static bool loads(int tile) { return true; } };
struct Even { __device__ static bool loads(int tile) { return tile % 2 == 0; } };

// pipelinify: launch by_condition
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void by_condition(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    typedef std::conditional<MODE == 0, Each, Even>::type Rule;
    for (int tile = 0; tile < tiles; ++tile) {
        if (Rule::loads(tile))
            part[threadIdx.x] = from[tile * 64 + threadIdx.x];
        __syncthreads();
        sum += part[(threadIdx.x + 3) % 64] * (tile + 1);
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}

// pipelinify: launch by_word
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void by_word(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; ++tile) {
        if (RULE::loads(tile))
            part[threadIdx.x] = from[tile * 64 + threadIdx.x];
        __syncthreads();
        sum += part[(threadIdx.x + 3) % 64] * (tile + 1);
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}
