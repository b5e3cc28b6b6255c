// 3x3 convolution over channels, its tiles objects that are indexed by operators of their own.
#include <cuda_runtime.h>

/// A tile with a column to spare against bank conflicts.
template <int ROWS, int COLS>
struct PaddedTile {
    float cells[ROWS][COLS + 1];
    __device__ float &operator()(int r, int c) { return cells[r][c]; }
    __device__ float operator()(int r, int c) const { return cells[r][c]; }
};

template <typename T, int N>
struct Array {
    T items[N];
    __device__ T &operator[](int i) { return items[i]; }
    __device__ const T &operator[](int i) const { return items[i]; }
};

__device__ float dot3(const PaddedTile<18, 18> &image, const Array<Array<float, 3>, 3> &weights, int y, int x)
{
    float sum = 0.0f;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            sum += image(y + i, x + j) * weights[i][j];
    return sum;
}

// pipelinify: launch conv3x3
//   sizes    H=16 W=16 C=0,1,2,3,4,5,8
//   sizes    H=20 W=35 C=3
//   target   H=512 W=512 C=64
//   requires H > 0 && W > 0
//   grid     (W + 15) / 16, (H + 15) / 16
//   block    16, 16
//   in:      in  [C * H * W]
//   weight:  in  [C * 9]
//   bias:    in  [1]
//   out:     out [H * W]
//   H:       H
//   W:       W
//   C:       C
__global__ void conv3x3(const float *__restrict__ in, const float *__restrict__ weight, const float *__restrict__ bias,
                        float *__restrict__ out, int H, int W, int C)
{
    __shared__ PaddedTile<18, 18> image;
    __shared__ Array<Array<float, 3>, 3> weights;
    __shared__ Array<float, 9> magnitudes;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int tid = ty * 16 + tx;
    const int x0 = blockIdx.x * 16 - 1, y0 = blockIdx.y * 16 - 1;
    float acc = bias[0];
    float scale = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 63ec7f00
    int c = 0;
    if (c < C) {
        for (int i = tid; i < 18 * 18; i += 256) {
            const int y = y0 + i / 18, x = x0 + i % 18;
            if (y >= 0 && y < H && x >= 0 && x < W)
                image(i / 18, i % 18) = in[(c * H + y) * W + x];
            else
                image(i / 18, i % 18) = 0.0f;
        }
        if (tid < 9)
            weights[tid / 3][tid % 3] = magnitudes[tid] = weight[c * 9 + tid];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++c; c < C; ++c) {
            float image_next[2];
            float magnitudes_next;
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = tid + slot * 256;
                if (i < 18 * 18) {
                    const int y = y0 + i / 18, x = x0 + i % 18;
                    if (y >= 0 && y < H && x >= 0 && x < W)
                        image_next[slot] = in[(c * H + y) * W + x];
                    else
                        image_next[slot] = 0.0f;
                }
            }
            if (tid < 9)
                magnitudes_next = weight[c * 9 + tid];
            acc += dot3(image, weights, ty, tx);
            for (int i = 0; i < 9; ++i)
                scale = fmaxf(scale, fabsf(magnitudes[i]));
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = tid + slot * 256;
                if (i < 18 * 18) {
                    image(i / 18, i % 18) = image_next[slot];
                }
            }
            if (tid < 9)
                weights[tid / 3][tid % 3] = magnitudes[tid] = magnitudes_next;
            __syncthreads();
        }
        acc += dot3(image, weights, ty, tx);
        for (int i = 0; i < 9; ++i)
            scale = fmaxf(scale, fabsf(magnitudes[i]));
    }

    const int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x < W && y < H)
        out[y * W + x] = acc / (1.0f + scale);
}
