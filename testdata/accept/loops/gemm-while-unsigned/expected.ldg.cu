// Tiled product whose K walk is a while loop over one unsigned cursor; blocks outside the matrix leave at once.
#include <cuda_runtime.h>

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
    // pipelinify: ldg, 2 stages, source 1b62d400
    if (k0 < depth) {
        int stage = 0;
        sa_stage[0][threadIdx.y][threadIdx.x] =
            row < rows && k0 + threadIdx.x < depth ? a[row * lda + k0 + threadIdx.x] : 0.0f;
        sb_stage[0][threadIdx.y][threadIdx.x] =
            col < cols && k0 + threadIdx.y < depth ? b[(k0 + threadIdx.y) * cols + col] : 0.0f;

        k0 += kTile;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (k0 < depth) {
            float sa_next = row < rows && k0 + threadIdx.x < depth ? a[row * lda + k0 + threadIdx.x] : 0.0f;
            float sb_next = col < cols && k0 + threadIdx.y < depth ? b[(k0 + threadIdx.y) * cols + col] : 0.0f;

            #pragma unroll
            for (unsigned k = 0; k < kTile; ++k)
                sum += sa_stage[stage][threadIdx.y][k] * sb_stage[stage][k][threadIdx.x];
            stage ^= 1;
            sa_stage[stage][threadIdx.y][threadIdx.x] = sa_next;
            sb_stage[stage][threadIdx.y][threadIdx.x] = sb_next;
            k0 += kTile;
            __syncthreads();
        }
        #pragma unroll
        for (unsigned k = 0; k < kTile; ++k)
            sum += sa_stage[stage][threadIdx.y][k] * sb_stage[stage][k][threadIdx.x];
    }

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
