// How often a tile is loaded is the size of a record, or of an array, or what a template makes
// of a number: another build's may be another one.
#ifndef EVERY
#define EVERY 1
#endif

struct Header { char bytes[EVERY]; };
template <int N> struct Rate { enum { tiles = N }; };
template <int N> struct Kind { static const bool always = true; };
template <> struct Kind<2> { static const bool always = false; };

// pipelinify: launch by_record
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void by_record(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; ++tile) {
        if (tile % sizeof(Header) == 0)
            part[threadIdx.x] = from[tile * 64 + threadIdx.x];
        __syncthreads();
        sum += part[(threadIdx.x + 3) % 64] * (tile + 1);
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}

// pipelinify: launch by_array
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void by_array(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    char marks[EVERY];
    for (int tile = 0; tile < tiles; ++tile) {
        if (tile % (int)sizeof(marks) == 0)
            part[threadIdx.x] = from[tile * 64 + threadIdx.x];
        __syncthreads();
        sum += part[(threadIdx.x + 3) % 64] * (tile + 1);
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}

// pipelinify: launch by_template
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void by_template(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; ++tile) {
        if (tile % Rate<EVERY>::tiles == 0)
            part[threadIdx.x] = from[tile * 64 + threadIdx.x];
        __syncthreads();
        sum += part[(threadIdx.x + 3) % 64] * (tile + 1);
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}

// pipelinify: launch by_kind
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void by_kind(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; ++tile) {
        if (Kind<EVERY>::always || tile % 2 == 0)
            part[threadIdx.x] = from[tile * 64 + threadIdx.x];
        __syncthreads();
        sum += part[(threadIdx.x + 3) % 64] * (tile + 1);
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}
