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
    {
        int t = 0;
        auto t_load = t;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (t_load < p.tiles) {
                auto &rows = rows_stage[load_stage];
                auto &cols = cols_stage[load_stage];
                auto &t = t_load;
                for (int i = threadIdx.y; i < 32; i += 8) {
                    const int col = t * 32 + threadIdx.x, row = t * 32 + i;
                    __pipeline_memcpy_async(&rows[i][threadIdx.x], &a[(first + i) * p.cols + col],
                        sizeof(float), (first + i < p.rows && col <= p.last) ? 0 : sizeof(float));
                    __pipeline_memcpy_async(&cols[i][threadIdx.x], &w[row * 32 + threadIdx.x],
                                            sizeof(float), (row <= p.last) ? 0 : sizeof(float));
                }
                ++t;
            }
            __pipeline_commit();
        };

        // Prologue: start copying the first stages - 1 tiles.
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
            copy_tile(load_stage);

        // Main loop: stages - 1 tiles are in flight while computing on one.
        int stage = 0;
        for (; t < p.tiles; ++t) {
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            copy_tile(stage == 0 ? stages - 1 : stage - 1);
            {
                auto &rows = rows_stage[stage];
                auto &cols = cols_stage[stage];
                for (int k = 0; k < 32; ++k)
                    for (int i = 0; i < 4; ++i)
                        acc[i] += rows[threadIdx.y + 8 * i][k] * cols[k][threadIdx.x];
            }
            stage = stage == stages - 1 ? 0 : stage + 1;
        }

        // Epilogue: every copy has landed.
        __pipeline_wait_prior(0);
    }
    for (int i = 0; i < 4; ++i)
        if (first + threadIdx.y + 8 * i < p.rows)
            o[(first + threadIdx.y + 8 * i) * 32 + threadIdx.x] = acc[i];
}
