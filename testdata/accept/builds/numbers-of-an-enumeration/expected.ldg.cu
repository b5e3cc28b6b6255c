// Enumerators are what a build makes them: each tile may be loaded but now and then, and
// what stands behind the end may be no zero.
#ifndef EVERY
#define EVERY 1
#endif
#ifndef BEYOND
#define BEYOND 0
#endif

enum { every = EVERY, beyond = BEYOND, width = 64, half = width / 2 };

// pipelinify: launch held
//   sizes   tiles=0,1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void held(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[width];
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; ++tile) {
        if (tile % every == 0)
            part[threadIdx.x] = from[tile * width + threadIdx.x];
        __syncthreads();
        sum += part[(threadIdx.x + half) % width] * (tile + 1);
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}

// pipelinify: launch ended
//   sizes   n=0,1,63,64,65,130
//   block   64
//   from:   in [n + 64] random
//   to:     out [64]
//   n:      n
__global__ void ended(const int *__restrict__ from, int *__restrict__ to, int n)
{
    __shared__ int part_stage[2][width];
    int sum = 0;
    // pipelinify: ldg, 2 stages, source 99a62540
    int first = 0, stage = 0;
    if (first < n) {
        {
            const int at = first + threadIdx.x;
            part_stage[0][threadIdx.x] = at < n ? from[at] : beyond;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += width; first < n; first += width) {
            const int at = first + threadIdx.x;
            int part_next = at < n ? from[at] : beyond;
            sum = sum * 3 + part_stage[stage][(threadIdx.x + half) % width];
            stage ^= 1;
            part_stage[stage][threadIdx.x] = part_next;
            __syncthreads();
        }
        sum = sum * 3 + part_stage[stage][(threadIdx.x + half) % width];
    }
    to[threadIdx.x] = sum;
}
