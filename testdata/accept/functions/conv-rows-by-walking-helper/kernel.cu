#include <cuda_runtime.h>

#define ROWS 8
#define COLS 32

// Copies a column of the window, walking down both pointers.
template <int N>
__device__ __forceinline__ void copy_down(float *dst, const float *src, int pitch)
{
#pragma unroll
    for (int i = 0; i < N; ++i) {
        *dst = *src;
        dst += COLS;
        src += pitch;
    }
}

// A filter over all ROWS rows of a strip, window after window.
//
// pipelinify: launch strip_filter
//   sizes w=0,32,64,160
//   target w=65536
//   block 32
//   img:  in  [8 * w + 1]
//   taps: in  [8]
//   out:  out [32]
//   w:    w
__global__ void __launch_bounds__(COLS)
strip_filter(const float *__restrict__ img, const float *__restrict__ taps, float *__restrict__ out, int w)
{
    __shared__ float win[ROWS][COLS];
    const int lane = threadIdx.x;
    float sum = 0.f;
    for (int x = 0; x < w; x += COLS) {
        copy_down<ROWS>(&win[0][lane], img + x + lane, w);
        __syncthreads();
        for (int c = 0; c < COLS; ++c)
            for (int r = 0; r < ROWS; ++r)
                sum += taps[r] * win[r][(c + lane) % COLS];
        __syncthreads();
    }
    out[lane] = sum;
}
