// A loop that goes on for ever here may not be run at all in another build, and the load of
// the next tile may ask for one more there.
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef AHEAD
#define AHEAD 1
#endif

// pipelinify: launch rounds
//   sizes   n=1,64,65,128,300
//   block   64
//   from:   in [n + 64] random
//   to:     out [64]
//   n:      n
__global__ void rounds(const float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float part[64];
    float sum = 0.0f;
    int first = 0;
    while (ROUNDS) {
        if (first >= n)
            break;
        part[threadIdx.x] = first + threadIdx.x < n ? from[first + threadIdx.x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k ^ threadIdx.x);
        first += 64;
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}

// pipelinify: launch refilled
//   sizes   tiles=1,2,3,6
//   block   64
//   from:   in [tiles * 64 + 64] random
//   to:     out [64]
//   tiles:  tiles
__global__ void refilled(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float part[64];
    float sum = 0.0f;
    part[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    for (int tile = 0; tile < tiles; ++tile) {
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k ^ threadIdx.x);
        __syncthreads();
        if (tile + AHEAD < tiles)
            part[threadIdx.x] = from[(tile + 1) * 64 + threadIdx.x];
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}
