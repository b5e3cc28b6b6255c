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
    // pipelinify: ldg-single, 1 stage, source 5441a7ab
    int t = 0, t_tile = t;
    if (t < tiles) {
        auto compute_tile = [&]() {
            const float own = x[t_tile * T + threadIdx.x];
            for (int j = 0; j < T; ++j)
                sum = 0.5f * sum + (s[j] - own) * (s[j] - own);
        };
        {
            const float own = x[t * T + threadIdx.x];
            s[threadIdx.x] = own;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            const float own = x[t * T + threadIdx.x];
            compute_tile();
            ++t_tile;
            __syncthreads();
            s[threadIdx.x] = own;
            __syncthreads();
        }
        compute_tile();
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
