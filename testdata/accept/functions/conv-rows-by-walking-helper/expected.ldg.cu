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

template <int N>
__device__ __forceinline__ auto copy_down_fetch(const float *src, int pitch)
{
    struct {
        float dst_next[N];
    } next;
    #pragma unroll
    for (int i = 0; i < N; ++i) {
        next.dst_next[i] = *src;
        src += pitch;
    }
    return next;
}

template <int N, typename Registers>
__device__ __forceinline__ void copy_down_store(float *dst, const Registers &next)
{
    #pragma unroll
    for (int i = 0; i < N; ++i) {
        *dst = next.dst_next[i];
        dst += COLS;
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
    __shared__ float win_stage[2][ROWS][COLS];
    const int lane = threadIdx.x;
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 7b074234
    int x = 0, stage = 0;
    if (x < w) {
        copy_down<ROWS>(&win_stage[0][0][lane], img + x + lane, w);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (x += COLS; x < w; x += COLS) {
            auto win_next = copy_down_fetch<ROWS>(img + x + lane, w);
            for (int c = 0; c < COLS; ++c)
                for (int r = 0; r < ROWS; ++r)
                    sum += taps[r] * win_stage[stage][r][(c + lane) % COLS];
            stage ^= 1;
            copy_down_store<ROWS>(&win_stage[stage][0][lane], win_next);
            __syncthreads();
        }
        for (int c = 0; c < COLS; ++c)
            for (int r = 0; r < ROWS; ++r)
                sum += taps[r] * win_stage[stage][r][(c + lane) % COLS];
    }
    out[lane] = sum;
}
