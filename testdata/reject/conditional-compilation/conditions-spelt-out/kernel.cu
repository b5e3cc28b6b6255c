// What a macro stands for goes into a condition as it is written, and stands for what it did
// last; what a header says is read where a macro names the header, too.
#include <cuda_runtime.h>

#define ROWS 32

// -DWIDE: without parentheses, `2 * 1 + 1`.
#ifdef WIDE
#define LANES 1 + 1
#else
#define LANES 1
#endif
#if 2 * LANES == 3
#define PUT(p, v) *(p) = (v)
#else
#define PUT(p, v) ((void)(v))
#endif

__global__ void of_products(float *wave, float *norm, int samples)
{
    __shared__ float rows[ROWS];
    const int row = threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < samples; first += ROWS) {
        rows[row] = wave[first + row];
        __syncthreads();
        for (int j = 0; j < ROWS; ++j)
            sum += rows[j] * (j + row);
        PUT(wave + first + ROWS + row, sum);
        __syncthreads();
    }
    norm[row] = sum;
}

// -DSTEPS_BACK: numbers without a sign have none below zero.
#ifdef STEPS_BACK
#define STEPS 0
#else
#define STEPS 1
#endif
#if STEPS - 1u > 8
#define KEEP(p, v) *(p) = (v)
#else
#define KEEP(p, v) ((void)(v))
#endif

__global__ void of_signs(float *wave, float *norm, int samples)
{
    __shared__ float rows[ROWS];
    const int row = threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < samples; first += ROWS) {
        rows[row] = wave[first + row];
        __syncthreads();
        for (int j = 0; j < ROWS; ++j)
            sum += rows[j] * (j - row);
        KEEP(wave + first + ROWS + row, sum);
        __syncthreads();
    }
    norm[row] = sum;
}

// -DCHANNELS=6: the same words, of what is another number by then.
#define GROUPS (CHANNELS + 1)
#if GROUPS % 3 == 1
#define ODD_GROUPS 1
#else
#define ODD_GROUPS 0
#endif
#undef GROUPS
#define GROUPS (CHANNELS + 2)
#if GROUPS % 3 == 1 && !ODD_GROUPS
#define MARK(p, v) *(p) = (v)
#else
#define MARK(p, v) ((void)(v))
#endif

__global__ void of_groups(float *wave, float *norm, int samples)
{
    __shared__ float rows[ROWS];
    const int row = threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < samples; first += ROWS) {
        rows[row] = wave[first + row];
        __syncthreads();
        for (int j = 0; j < ROWS; ++j)
            sum += rows[j] * (j ^ row);
        MARK(wave + first + ROWS + row, sum);
        __syncthreads();
    }
    norm[row] = sum;
}

// -DIN_PLACE: what a name was is again, and is not what was last defined.
#ifdef IN_PLACE
#define MODE 2
#else
#define MODE 1
#endif
#pragma push_macro("MODE")
#undef MODE
#define MODE 0
#pragma pop_macro("MODE")
#if MODE == 2
#define SET(p, v) *(p) = (v)
#else
#define SET(p, v) ((void)(v))
#endif

__global__ void of_modes(float *wave, float *norm, int samples)
{
    __shared__ float rows[ROWS];
    const int row = threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < samples; first += ROWS) {
        rows[row] = wave[first + row];
        __syncthreads();
        for (int j = 0; j < ROWS; ++j)
            sum += rows[j] * (j | row);
        SET(wave + first + ROWS + row, sum);
        __syncthreads();
    }
    norm[row] = sum;
}

// -DTRACED, by a header whose name is put together.
#define TRACE 1
#define QUOTED(name) #name
#include QUOTED(trace.h)
#if TRACE == 2
#define NOTE(p, v) *(p) = (v)
#else
#define NOTE(p, v) ((void)(v))
#endif

__global__ void of_traces(float *wave, float *norm, int samples)
{
    __shared__ float rows[ROWS];
    const int row = threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < samples; first += ROWS) {
        rows[row] = wave[first + row];
        __syncthreads();
        for (int j = 0; j < ROWS; ++j)
            sum += rows[j] * (j + 2 * row);
        NOTE(wave + first + ROWS + row, sum);
        __syncthreads();
    }
    norm[row] = sum;
}
