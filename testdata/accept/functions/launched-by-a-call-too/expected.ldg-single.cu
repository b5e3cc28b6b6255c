// One launch in sight says how much dynamic shared memory stands beside the tile; the
// other one is a call that is handed the kernel, with nearly all that a block may have.
// pipelinify: launch smooth
//   sizes    tiles=0,1,2,3
//   block    64
//   smem     256
//   from:    in [tiles * 1024 + 64] random
//   to:      out [64]
//   tiles:   tiles
__global__ void __launch_bounds__(64)
smooth(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    extern __shared__ float edge[];
    __shared__ float tile[1024];
    const int x = threadIdx.x;
    float sum = 0.0f;
    edge[x] = x;
    __syncthreads();
    // pipelinify: ldg-single, 1 stage, source 60aaf1f9
    int t = 0;
    if (t < tiles) {
        for (int i = x; i < 1024; i += 64)
            tile[i] = from[t * 1024 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float tile_next[16];
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int i = x + slot * 64;
                tile_next[slot] = from[t * 1024 + i];
            }
            for (int k = 0; k < 1024; ++k)
                sum = sum * 0.5f + tile[k] * (k ^ x);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int i = x + slot * 64;
                tile[i] = tile_next[slot];
            }
            __syncthreads();
        }
        for (int k = 0; k < 1024; ++k)
            sum = sum * 0.5f + tile[k] * (k ^ x);
        __syncthreads();
    }
    to[blockIdx.x * 64 + x] = sum + edge[63 - x];
}

void few(const float *from, float *to, int tiles)
{
    smooth<<<1, 64, 256>>>(from, to, tiles);
}

void many(const float *from, float *to, int tiles)
{
    void *all[] = {&from, &to, &tiles};
    cudaLaunchKernel((const void *)smooth, dim3(1), dim3(64), all, 44000, 0);
}

// Of this one too, under a name of its own.
// pipelinify: launch smoother
//   sizes    tiles=0,1,2,3
//   block    64
//   smem     256
//   from:    in [tiles * 1024 + 64] random
//   to:      out [64]
//   tiles:   tiles
__global__ void __launch_bounds__(64)
smoother(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    extern __shared__ float edge[];
    __shared__ float tile[1024];
    const int x = threadIdx.x;
    float sum = 0.0f;
    edge[x] = x;
    __syncthreads();
    // pipelinify: ldg-single, 1 stage, source 60aaf1f9
    int t = 0;
    if (t < tiles) {
        for (int i = x; i < 1024; i += 64)
            tile[i] = from[t * 1024 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float tile_next[16];
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int i = x + slot * 64;
                tile_next[slot] = from[t * 1024 + i];
            }
            for (int k = 0; k < 1024; ++k)
                sum = sum * 0.5f + tile[k] * (k ^ x);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int i = x + slot * 64;
                tile[i] = tile_next[slot];
            }
            __syncthreads();
        }
        for (int k = 0; k < 1024; ++k)
            sum = sum * 0.5f + tile[k] * (k ^ x);
        __syncthreads();
    }
    to[blockIdx.x * 64 + x] = sum + edge[63 - x];
}

void some(const float *from, float *to, int tiles)
{
    smoother<<<1, 64, 256>>>(from, to, tiles);
    auto again = smoother;
    again<<<1, 64, 44000>>>(from, to, tiles);
}
