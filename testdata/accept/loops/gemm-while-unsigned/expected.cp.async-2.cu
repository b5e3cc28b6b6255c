// Tiled product whose K walk is a while loop over one unsigned cursor; blocks outside the matrix leave at once.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

namespace {

constexpr unsigned kTile = 16;

// pipelinify: launch gemmWhile
//   sizes    rows=16 cols=16 depth=0,1,15,16,17,32,48,64,79
//   sizes    rows=20,33 cols=40 depth=50
//   let      lda = depth + 3
//   target   rows=3000 cols=3000 depth=3000
//   requires rows > 0 && cols > 0
//   grid     (cols + 15) / 16 + 1, (rows + 15) / 16 + 1
//   block    16, 16
//   a:       in  [rows * lda]
//   lda:     lda
//   b:       in  [depth * cols]
//   c:       out [rows * cols]
//   rows:    rows
//   cols:    cols
//   depth:   depth
__global__ void gemmWhile(const float* __restrict__ a, unsigned lda,
                          const float* __restrict__ b, float* __restrict__ c,
                          unsigned rows, unsigned cols, unsigned depth)
{
    // the grid may be larger than the matrix
    if (blockIdx.x * kTile >= cols || blockIdx.y * kTile >= rows)
        return;

    __shared__ float sa_stage[2][kTile][kTile];
    __shared__ float sb_stage[2][kTile][kTile];

    const unsigned row = blockIdx.y * kTile + threadIdx.y;
    const unsigned col = blockIdx.x * kTile + threadIdx.x;

    float sum = 0.0f;
    unsigned k0 = 0;
    // pipelinify: cp.async, 2 stages, source 1b62d400
    unsigned int k0_load = k0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < depth) {
            auto &k0 = k0_load;
            __pipeline_memcpy_async(&sa_stage[load_stage][threadIdx.y][threadIdx.x], &a[row * lda + k0 + threadIdx.x],
                                    sizeof(float), (row < rows && k0 + threadIdx.x < depth) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&sb_stage[load_stage][threadIdx.y][threadIdx.x],
                                    &b[(k0 + threadIdx.y) * cols + col], sizeof(float),
                                    (col < cols && k0 + threadIdx.y < depth) ? 0 : sizeof(float));

            k0 += kTile;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    while (k0 < depth) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        #pragma unroll
        for (unsigned k = 0; k < kTile; ++k)
            sum += sa_stage[stage][threadIdx.y][k] * sb_stage[stage][k][threadIdx.x];

        k0 += kTile;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    if (row < rows && col < cols)
        c[row * cols + col] = sum;
}

} // namespace

void gemm(const float* a, unsigned lda, const float* b, float* c,
          unsigned rows, unsigned cols, unsigned depth, cudaStream_t stream)
{
    const dim3 block(kTile, kTile);
    const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    gemmWhile<<<grid, block, 0, stream>>>(a, lda, b, c, rows, cols, depth);
}
