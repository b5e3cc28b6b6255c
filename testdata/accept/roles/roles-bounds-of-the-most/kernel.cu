// Bounds that leave room for more threads than are launched: twice as many are more than
// a block may have, and with twice as many half as many blocks find registers.
#define MOST 1024
#define RESIDENT 1

// pipelinify: launch tail_sums
//   sizes    tiles=0,1,2,3,7
//   block    128
//   from:    in [tiles * 128] random
//   sums:    out [128]
//   tiles:   tiles
__global__ void __launch_bounds__(MOST, RESIDENT + 1)
tail_sums(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part[128];
    float sum = 0.f;
    for (int tile = 0; tile < tiles; ++tile) {
        part[threadIdx.x] = from[tile * 128 + threadIdx.x];
        __syncthreads();
        for (int k = threadIdx.x; k < 128; ++k)
            sum += part[k] / (k + 1);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

void add_tails(const float *from, float *sums, int tiles)
{
    tail_sums<<<1, 128>>>(from, sums, tiles);
}
