// Column sums of squared differences over a window whose shape the caller picks: rows x cols of the tile are
// arguments, the block's shape too, and the loop stands in a device function that two kernels share.
#include <cuda_fp16.h>

struct window {
    int rows, cols, pitch;
};

template <typename T>
__device__ void differences(const T *__restrict__ image, const float *__restrict__ model, float *__restrict__ out,
                            window w, int steps)
{
    __shared__ float pixels[32 * 33];
    __shared__ float wanted[32][33];
    const int tid = threadIdx.y * blockDim.x + threadIdx.x;
    const int threads = blockDim.x * blockDim.y;
    const int first = tid >> 1;
    float sum = 0.0f;

    for (int s = 0; s < steps; ++s) {
        // two threads a pixel: the second repeats the first
        for (int i = first; i < w.rows * w.cols; i += threads / 2)
            pixels[i / w.cols * 33 + i % w.cols] = (float)image[(size_t)s * w.rows * w.pitch + i / w.cols * w.pitch + i % w.cols];
        for (int r = threadIdx.y; r < w.rows; r += blockDim.y)
            for (int c = threadIdx.x; c < w.cols; c += blockDim.x)
                wanted[r][c] = model[(s * w.rows + r) * w.cols + c];
        __syncthreads();

        for (int i = 0; i < w.rows; ++i)
            for (int c = 0; c < w.cols; ++c) {
                const float d = pixels[i * 33 + c] - wanted[i][c];
                sum += d * d * (float)(c % 5 + tid);
            }
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
