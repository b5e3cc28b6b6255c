// Range-based loops that fill tiles: over places in an array, over a list, over the rows of the
// tile itself.
#include <initializer_list>
#include <cuda_pipeline.h>

// pipelinify: launch places
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     2
//   block    64
//   g:       in  [tiles * 256 + 1]
//   o:       out [2 * 64]
//   tiles:   tiles
__global__ void places(const float *__restrict__ g, float *__restrict__ o, int tiles)
{
    __shared__ float s[4][64];
    const int rows[4] = {2, 0, 3, 1};
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        for (int r : rows)
            s[r][threadIdx.x] = g[(t * 4 + r) * 64 + threadIdx.x];
        __syncthreads();
        for (const auto &row : s)
            for (float v : row)
                sum += v * (float)(threadIdx.x + blockIdx.x + 1);
        __syncthreads();
    }
    o[blockIdx.x * 64 + threadIdx.x] = sum;
}

// pipelinify: launch listed
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     2
//   block    64
//   g:       in  [tiles * 192 + 1]
//   o:       out [2 * 64]
//   tiles:   tiles
__global__ void listed(const float *__restrict__ g, float *__restrict__ o, int tiles)
{
    __shared__ float s[192];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        for (int from : {0, 64, 128}) {
            if (from == 64)
                s[from + threadIdx.x] = 0.5f;
            else
                s[from + threadIdx.x] = g[t * 192 + from + threadIdx.x];
        }
        __syncthreads();
        for (int i = 0; i < 192; ++i)
            sum += s[i] * (float)((i + threadIdx.x) % 5 + blockIdx.x);
        __syncthreads();
    }
    o[blockIdx.x * 64 + threadIdx.x] = sum;
}

// pipelinify: launch rows_of_the_tile
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     2
//   block    64
//   g:       in  [tiles * 256 + 1]
//   o:       out [2 * 64]
//   tiles:   tiles
__global__ void rows_of_the_tile(const float *__restrict__ g, float *__restrict__ o, int tiles)
{
    __shared__ float s_stage[2][4][64];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 6e49ef0e
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < tiles) {
            int r = 0;
            for (int at = 0; at < 4; ++at) {
                auto &row = s_stage[load_stage][at];
                __pipeline_memcpy_async(&row[threadIdx.x],
                                        &g[(t_load * 4 + r++) * 64 + threadIdx.x], sizeof(float));
            }
            ++t_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 256; ++i)
            sum += s_stage[stage][i / 64][i % 64] * (float)((i ^ threadIdx.x) % 3 + blockIdx.x);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    o[blockIdx.x * 64 + threadIdx.x] = sum;
}
