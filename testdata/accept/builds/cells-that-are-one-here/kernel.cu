// Two numbers of this build are one: in another one what is read is not what was loaded, and
// a helper stores elsewhere.
#ifndef LOADED
#define LOADED 0
#endif
#ifndef USED
#define USED 0
#endif
#ifndef SHIFT
#define SHIFT 0
#endif

__device__ void put(float *cell, float v) { cell[SHIFT] = v; }

// pipelinify: launch chosen
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void chosen(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; ++tile) {
        float v[2];
        v[LOADED] = from[tile * 64 + threadIdx.x];
        v[1] = 0.5f;
        part[threadIdx.x] = v[USED];
        __syncthreads();
        sum += part[(threadIdx.x + 3) % 64] * (tile + 1);
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}

// pipelinify: launch shifted
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void shifted(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[128];
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; ++tile) {
        put(&part[threadIdx.x], from[tile * 64 + threadIdx.x]);
        __syncthreads();
        sum += part[(threadIdx.x + 3) % 64 + SHIFT] * (tile + 1);
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}
