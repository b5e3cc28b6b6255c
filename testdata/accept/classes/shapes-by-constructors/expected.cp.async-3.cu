#include <cuda_pipeline.h>

// The shape of the problem is an object: its constructor, and its base's, call functions of
// the user's for the number of tiles, which is the same in all threads.
__host__ __device__ constexpr int ceil_div(int a, int b)
{
    return (a + b - 1) / b;
}

template <int Tile>
__device__ __forceinline__ int tiles_of(int cells)
{
    int tiles = ceil_div(cells, Tile);
    return tiles > 0 ? tiles : 0;
}

struct extent {
    int rows, cols;

    __device__ extent(int r, int c) : rows(max(r, 0)), cols(c) {}
};

struct work : extent {
    int tiles, last;

    __device__ work(int r, int c) : extent(r, c), tiles(tiles_of<32>(c)), last(c - 1) {}
};

// pipelinify: launch row_products
//   sizes    r=1,7,32 c=1,31,32,33,128
//   target   r=4096 c=4096
//   grid     (r + 31) / 32
//   block    32, 8
//   a:       in  [r * c] random
//   w:       in  [c * 32] random
//   o:       out [r * 32]
//   r:       r
//   c:       c
__global__ void row_products(const float *__restrict__ a, const float *__restrict__ w,
                             float *__restrict__ o, int r, int c)
{
    constexpr int stages = 3;
    __shared__ float rows_stage[stages][32][33], cols_stage[stages][32][32];
    const work p(r, c);
    const int first = blockIdx.x * 32;

    float acc[4] = {0.f, 0.f, 0.f, 0.f};
    // pipelinify: cp.async, 3 stages, source c8d29a2b
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < p.tiles) {
            for (int i = threadIdx.y; i < 32; i += 8) {
                const int col = t_load * 32 + threadIdx.x, row = t_load * 32 + i;
                __pipeline_memcpy_async(&rows_stage[load_stage][i][threadIdx.x],
                                        &a[(first + i) * p.cols + col], sizeof(float),
                                        (first + i < p.rows && col <= p.last) ? 0 : sizeof(float));
                __pipeline_memcpy_async(&cols_stage[load_stage][i][threadIdx.x],
                                        &w[row * 32 + threadIdx.x], sizeof(float),
                                        (row <= p.last) ? 0 : sizeof(float));
            }
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < p.tiles; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < 32; ++k)
            for (int i = 0; i < 4; ++i)
                acc[i] += rows_stage[stage][threadIdx.y + 8 * i][k] *
                          cols_stage[stage][k][threadIdx.x];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    for (int i = 0; i < 4; ++i)
        if (first + threadIdx.y + 8 * i < p.rows)
            o[(first + threadIdx.y + 8 * i) * 32 + threadIdx.x] = acc[i];
}
