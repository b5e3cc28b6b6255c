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
    __shared__ float rows[32][33], cols[32][32];
    const work p(r, c);
    const int first = blockIdx.x * 32;

    float acc[4] = {0.f, 0.f, 0.f, 0.f};
    // pipelinify: ldg-single, 1 stage, source c8d29a2b
    int t = 0;
    if (t < p.tiles) {
        for (int i = threadIdx.y; i < 32; i += 8) {
            const int col = t * 32 + threadIdx.x, row = t * 32 + i;
            rows[i][threadIdx.x] =
                first + i < p.rows && col <= p.last ? a[(first + i) * p.cols + col] : 0.f;
            cols[i][threadIdx.x] = row <= p.last ? w[row * 32 + threadIdx.x] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < p.tiles; ++t) {
            float rows_next[4];
            float cols_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.y + slot * 8;
                if (i < 32) {
                    const int col = t * 32 + threadIdx.x, row = t * 32 + i;
                    rows_next[slot] = first + i < p.rows &&
                                      col <= p.last ? a[(first + i) * p.cols + col] : 0.f;
                    cols_next[slot] = row <= p.last ? w[row * 32 + threadIdx.x] : 0.f;
                }
            }
            for (int k = 0; k < 32; ++k)
                for (int i = 0; i < 4; ++i)
                    acc[i] += rows[threadIdx.y + 8 * i][k] * cols[k][threadIdx.x];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.y + slot * 8;
                if (i < 32) {
                    rows[i][threadIdx.x] = rows_next[slot];
                    cols[i][threadIdx.x] = cols_next[slot];
                }
            }
            __syncthreads();
        }
        for (int k = 0; k < 32; ++k)
            for (int i = 0; i < 4; ++i)
                acc[i] += rows[threadIdx.y + 8 * i][k] * cols[k][threadIdx.x];
    }
    for (int i = 0; i < 4; ++i)
        if (first + threadIdx.y + 8 * i < p.rows)
            o[(first + threadIdx.y + 8 * i) * 32 + threadIdx.x] = acc[i];
}
