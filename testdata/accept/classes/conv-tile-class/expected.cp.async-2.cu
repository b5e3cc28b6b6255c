// 3x3 convolution over channels, its tiles objects that are indexed by operators of their own.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    __shared__ PaddedTile<18, 18> image_stage[2];
    __shared__ Array<Array<float, 3>, 3> weights_stage[2];
    __shared__ Array<float, 9> magnitudes_stage[2];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int tid = ty * 16 + tx;
    const int x0 = blockIdx.x * 16 - 1, y0 = blockIdx.y * 16 - 1;
    float acc = bias[0];
    float scale = 0.0f;

    // pipelinify: cp.async, 2 stages, source 63ec7f00
    int c = 0, stage = 0;
    if (c < C) {
        for (int i = tid; i < 18 * 18; i += 256) {
            const int y = y0 + i / 18, x = x0 + i % 18;
            if (y >= 0 && y < H && x >= 0 && x < W)
                __pipeline_memcpy_async(&image_stage[0](i / 18, i % 18), &in[(c * H + y) * W + x], sizeof(float));
            else
                image_stage[0](i / 18, i % 18) = 0.0f;
        }
        if (tid < 9)
            weights_stage[0][tid / 3][tid % 3] = magnitudes_stage[0][tid] = weight[c * 9 + tid];
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
        for (++c; c < C; ++c) {
            float magnitudes_next;
            for (int i = tid; i < 18 * 18; i += 256) {
                const int y = y0 + i / 18, x = x0 + i % 18;
                if (y >= 0 && y < H && x >= 0 && x < W)
                    __pipeline_memcpy_async(&image_stage[stage ^ 1](i / 18, i % 18), &in[(c * H + y) * W + x],
                                            sizeof(float));
                else
                    image_stage[stage ^ 1](i / 18, i % 18) = 0.0f;
            }
            if (tid < 9)
                magnitudes_next = weight[c * 9 + tid];
            __pipeline_commit();
            acc += dot3(image_stage[stage], weights_stage[stage], ty, tx);
            for (int i = 0; i < 9; ++i)
                scale = fmaxf(scale, fabsf(magnitudes_stage[stage][i]));
            stage ^= 1;
            if (tid < 9)
                weights_stage[stage][tid / 3][tid % 3] = magnitudes_stage[stage][tid] = magnitudes_next;
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        acc += dot3(image_stage[stage], weights_stage[stage], ty, tx);
        for (int i = 0; i < 9; ++i)
            scale = fmaxf(scale, fabsf(magnitudes_stage[stage][i]));
    }

    const int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x < W && y < H)
        out[y * W + x] = acc / (1.0f + scale);
}
