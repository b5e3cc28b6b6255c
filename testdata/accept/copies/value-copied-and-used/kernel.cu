// Every value goes into the tile, and its thread uses it itself; an asynchronous copy has no need
// of the variable that compute declares anew.
#define T 64

// pipelinify: launch spread
//   sizes tiles=0,1,2,3,4,5,7
//   grid  2
//   block 64
//   target tiles=65536
//   x:     in  [tiles * 64] random
//   y:     out [128]
//   tiles: tiles
__global__ void spread(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        const float own = x[t * T + threadIdx.x];
        s[threadIdx.x] = own;
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum = 0.5f * sum + (s[j] - own) * (s[j] - own);
        __syncthreads();
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
