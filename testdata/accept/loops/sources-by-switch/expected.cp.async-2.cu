// What a tile is filled from is for a switch to say: a template's argument, a mode of
// the launch, a constant of a policy.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cuda_pipeline.h>

enum class Format { Float, Half, Byte };

template <Format FORMAT>
__device__ __forceinline__ void load_row(float *tile, const void *row, float scale)
{
    const int t = threadIdx.x;
    switch (FORMAT) {
    case Format::Float:
        tile[t] = static_cast<const float *>(row)[t];
        break;
    case Format::Half:
        tile[t] = __half2float(static_cast<const __half *>(row)[t]);
        break;
    case Format::Byte: {
        // Bytes stand for the numbers around zero.
        const int q = static_cast<const uint8_t *>(row)[t];
        tile[t] = (float)(q - 128) * scale;
        break;
    }
    }
}

__host__ __device__ constexpr int bytes_of(Format format)
{
    return format == Format::Float ? 4 : format == Format::Half ? 2 : 1;
}

// pipelinify: launch row_products<Format::Float>
//   sizes    n=0,64,128,192,576
//   target   n=65536
//   grid     2
//   block    64
//   rows:    in  [n * 8] range(-1, 1)
//   x:       in  [n]
//   y:       out [128]
//   n:       n
//   scale:   0.25
template <Format FORMAT>
__global__ void row_products(const float *__restrict__ rows, const float *__restrict__ x,
                             float *__restrict__ y, int n, float scale)
{
    __shared__ float tile[64];
    const char *from = reinterpret_cast<const char *>(rows) + blockIdx.x * n * bytes_of(FORMAT);
    float sum = 0.0f;
    for (int k = 0; k < n; k += 64) {
        load_row<FORMAT>(tile, from + k * bytes_of(FORMAT), scale);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * x[k + (i ^ threadIdx.x)];
        __syncthreads();
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

template __global__ void row_products<Format::Half>(const float *, const float *, float *, int, float);
template __global__ void row_products<Format::Byte>(const float *, const float *, float *, int, float);

#define BORDER_ZERO 0
#define BORDER_CLAMP 1
#define BORDER_WRAP 2

// Rows of a signal with what is asked for beyond its end.
// pipelinify: launch smooth
//   sizes    n=64,100,128,192 taps=0,1,64,130,580 border=0,1,2
//   target   n=65536 taps=4096 border=1
//   grid     (n + 63) / 64
//   block    64
//   x:       in  [n]
//   w:       in  [taps + 64]
//   y:       out [(n + 63) / 64 * 64]
//   n:       n
//   taps:    taps
//   border:  border
__global__ void __launch_bounds__(64)
smooth(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n,
       int taps, int border)
{
    __shared__ float part_stage[2][128];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 057fae48
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < taps) {
            for (int i = t; i < 128; i += 64) {
                const int at = first + k_load + i;
                if (border == BORDER_CLAMP) {
                    __pipeline_memcpy_async(&part_stage[load_stage][i], &x[min(at, n - 1)], sizeof(float));
                } else if (border == BORDER_WRAP || border == (BORDER_WRAP + 1)) {
                    __pipeline_memcpy_async(&part_stage[load_stage][i], &x[at % n], sizeof(float));
                } else {
                    // beyond the end there is nothing
                    __pipeline_memcpy_async(&part_stage[load_stage][i], &x[at], sizeof(float),
                                            (at < n) ? 0 : sizeof(float));
                }
            }
            k_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < taps; k += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < min(64, taps - k); ++i)
            sum += part_stage[stage][t + i] * w[k + i];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[first + t] = sum;
}

// A switch that names no default, with an else behind it that is the other test's.
//
// pipelinify: launch window_or_row
//   sizes    n=0,64,128,192 window=0,1,2 shape=0,1,2
//   target   n=65536 window=1 shape=0
//   block    64
//   x:       in  [n + 64]
//   w:       in  [128]
//   y:       out [64]
//   n:       n
//   window:  window
//   shape:   shape
__global__ __launch_bounds__(64) void window_or_row(const float *__restrict__ x, const float *__restrict__ w,
                                                    float *__restrict__ y, int n, int window, int shape)
{
    __shared__ float tile[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 64) {
        float weight = 1.0f;
        if (window)
            switch (shape) {
            case 0:
                weight = w[t];
                break;
            case 1:
                weight = w[t + 64];
                break;
            }
        else
            weight = 0.5f;
        tile[t] = x[k + t] * weight;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

// The same by what is stored, with a switch as an arm.
//
// pipelinify: launch window_of_tiles
//   sizes    n=0,64,128,192 window=0,1 shape=0,1
//   target   n=65536 window=1 shape=0
//   block    64
//   x:       in  [n + 64]
//   y:       out [64]
//   n:       n
//   window:  window
//   shape:   shape
__global__ __launch_bounds__(64) void window_of_tiles(const float *__restrict__ x, float *__restrict__ y, int n,
                                                      int window, int shape)
{
    __shared__ float tile[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 64) {
        tile[t] = 1.0f;
        if (window)
            switch (shape) {
            case 0:
                tile[t] = x[k + t];
                break;
            case 3:
                tile[t] = 3.0f;
                break;
            }
        else
            tile[t] = 2.0f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

// Arms that a macro writes, with their labels and breaks.
#define ARM(N, VALUE) \
    case N: tile[t] = VALUE; break;

// pipelinify: launch arms_of_a_macro
//   sizes    n=0,64,128,192,320,448 mode=0,1,2
//   target   n=65536 mode=0
//   block    64
//   x:       in  [n + 64]
//   y:       out [64]
//   n:       n
//   mode:    mode
__global__ __launch_bounds__(64) void arms_of_a_macro(const float *__restrict__ x, float *__restrict__ y, int n,
                                                      int mode)
{
    __shared__ float tile_stage[2][64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 882914b7
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            if (mode == 0) {
                __pipeline_memcpy_async(&tile_stage[load_stage][t], &x[k_load + t], sizeof(float));
            } else if (mode == 1) {
                __pipeline_memcpy_async(&tile_stage[load_stage][t], &x[k_load + 63 - t], sizeof(float));
            } else {
                tile_stage[load_stage][t] = 0.0f;
            }
            k_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 64; ++i)
            sum += tile_stage[stage][i] * (i ^ t);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[t] = sum;
}
