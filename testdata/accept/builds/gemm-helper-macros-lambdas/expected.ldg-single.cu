// Covariances of columns: lambdas with copies of their own find what is loaded, macros that are
// whole statements compute.
#include <cuda_runtime.h>

#define TILE 16
#define MULTIPLY_ADD(sum, a, b)     \
    do {                            \
        const float product = (a) * (b); \
        (sum) += product;           \
    } while (0)
#define KEEP_LARGEST(largest, value) \
    do {                             \
        if ((value) <= (largest))    \
            break;                   \
        (largest) = (value);         \
    } while (0)

// pipelinify: launch covariance
//   sizes    rows=0,1,15,16,17,32,48,64,80 cols=16
//   sizes    rows=40 cols=37
//   target   rows=2048 cols=1024
//   requires cols > 0
//   grid     (cols + 15) / 16, (cols + 15) / 16
//   block    16, 16
//   data:    in  [rows * cols]
//   mean:    in  [cols]
//   out:     out [cols * cols]
//   peak:    out [cols * cols]
//   rows:    rows
//   cols:    cols
__global__ void covariance(const float *__restrict__ data, const float *__restrict__ mean, float *__restrict__ out,
                           float *__restrict__ peak, int rows, int cols)
{
    __shared__ float left[TILE][TILE];
    __shared__ float right[TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    const int first = blockIdx.y * TILE + tx;
    const auto at = [=](int r, int c) { return r < rows && c < cols ? data[r * cols + c] : 0.0f; };
    const auto centre = [mean, cols](int c) { return c < cols ? mean[c] : 0.0f; };
    float sum = 0.0f, largest = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 359e8ad1
    int r0 = 0, r0_tile = r0;
    if (r0 < rows) {
        left[ty][tx] = at(r0 + ty, first) - centre(first);
        right[ty][tx] = at(r0 + ty, col) - centre(col);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (r0 += TILE; r0 < rows; r0 += TILE) {
            float left_next = at(r0 + ty, first) - centre(first);
            float right_next = at(r0 + ty, col) - centre(col);
            for (int r = 0; r < TILE && r0_tile + r < rows; ++r)
                MULTIPLY_ADD(sum, left[r][ty], right[r][tx]);
            KEEP_LARGEST(largest, sum);
            r0_tile += TILE;
            __syncthreads();
            left[ty][tx] = left_next;
            right[ty][tx] = right_next;
            __syncthreads();
        }
        for (int r = 0; r < TILE && r0_tile + r < rows; ++r)
            MULTIPLY_ADD(sum, left[r][ty], right[r][tx]);
        KEEP_LARGEST(largest, sum);
    }

    if (row < cols && col < cols) {
        out[row * cols + col] = sum;
        peak[row * cols + col] = largest;
    }
}
