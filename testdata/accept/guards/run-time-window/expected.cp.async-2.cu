// Column sums of squared differences over a window whose shape the caller picks: rows x cols of the tile are
// arguments, the block's shape too, and the loop stands in a device function that two kernels share.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

struct window {
    int rows, cols, pitch;
};

template <typename T>
__device__ void differences(const T *__restrict__ image, const float *__restrict__ model, float *__restrict__ out,
                            window w, int steps)
{
    __shared__ float pixels_stage[2][32 * 33];
    __shared__ float wanted_stage[2][32][33];
    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    const int threads = blockDim.x * blockDim.y;
    const int first = tid >> 1;
    float sum = 0.0f;

    // pipelinify: cp.async, 2 stages, source aab91dfd
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    int s = 0, stage = 0;
    if (s < steps) {
        auto compute_tile = [&]() {
            for (int i = 0; i < w.rows; ++i)
                for (int c = 0; c < w.cols; ++c) {
                    const float d = pixels_stage[stage][i * 33 + c] - wanted_stage[stage][i][c];
                    sum += d * d * (float)(c % 5 + tid);
                }
        };
        // two threads a pixel: the second repeats the first
        for (int i = first; i < w.rows * w.cols; i += threads / 2)
            pixels_stage[0][i / w.cols * 33 + i % w.cols] =
                (float)image[(size_t)s * w.rows * w.pitch + i / w.cols * w.pitch + i % w.cols];
        for (int r = threadIdx.y; r < w.rows; r += blockDim.y) {
            for (int c = threadIdx.x; c < w.cols; c += blockDim.x)
                __pipeline_memcpy_async(&wanted_stage[0][r][c], &model[(s * w.rows + r) * w.cols + c], sizeof(float));
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
        for (++s; s < steps; ++s) {
            T pixels_next[8];
            // two threads a pixel: the second repeats the first
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = first + slot * (threads / 2);
                if (i < w.rows * w.cols)
                    pixels_next[slot] = image[(size_t)s * w.rows * w.pitch + i / w.cols * w.pitch + i % w.cols];
            }
            for (int r = threadIdx.y; r < w.rows; r += blockDim.y) {
                for (int c = threadIdx.x; c < w.cols; c += blockDim.x)
                    __pipeline_memcpy_async(&wanted_stage[stage ^ 1][r][c], &model[(s * w.rows + r) * w.cols + c], sizeof(float));
            }
            __pipeline_commit();
            compute_tile();
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = first + slot * (threads / 2);
                if (i < w.rows * w.cols)
                    pixels_stage[stage][i / w.cols * 33 + i % w.cols] = (float)pixels_next[slot];
            }
            // What has not been fetched ahead.
            for (int i = first + 8 * (threads / 2); i < w.rows * w.cols; i += threads / 2)
                pixels_stage[stage][i / w.cols * 33 + i % w.cols] =
                    (float)image[(size_t)s * w.rows * w.pitch + i / w.cols * w.pitch + i % w.cols];
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[blockIdx.x * threads + tid] = sum;
}

// pipelinify: launch differences_byte
//   sizes  steps=0,1,2,3,5 rows=4 cols=8
//   sizes  steps=4,7 rows=9,32 cols=5,32
//   target steps=512 rows=32 cols=32
//   let    pitch = cols + 3
//   let    area = rows * cols
//   grid   2
//   block  8, 4
//   image: in [steps * rows * pitch + 1] below(100)
//   model: in [steps * area + 1]
//   out:   out [64]
//   rows:  rows
//   cols:  cols
//   pitch: pitch
//   steps: steps
__global__ void differences_byte(const unsigned char *image, const float *model, float *out, int rows, int cols,
                                 int pitch, int steps)
{
    differences(image, model, out, window{rows, cols, pitch}, steps);
}

// pipelinify: launch differences_float
//   sizes  steps=0,1,2,3,5 rows=4 cols=8
//   sizes  steps=4,7 rows=9,32 cols=5,32
//   target steps=1024 rows=32 cols=32
//   let    pitch = cols + 3
//   let    area = rows * cols
//   grid   2
//   block  16, 16
//   image: in [steps * rows * pitch + 1]
//   model: in [steps * area + 1]
//   out:   out [512]
//   rows:  rows
//   cols:  cols
//   pitch: pitch
//   steps: steps
__global__ void differences_float(const float *image, const float *model, float *out, int rows, int cols,
                                  int pitch, int steps)
{
    differences(image, model, out, window{rows, cols, pitch}, steps);
}
