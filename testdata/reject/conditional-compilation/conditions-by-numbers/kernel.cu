// Conditions that compute: flags, versions, names for numbers, what is defined anew.
#include <cuda_runtime.h>

#define BLOCK 64

// -DOPTIONS=3.
#define TRACK_WRITES 2
#if OPTIONS & TRACK_WRITES
#define TRACK(p, v) *(p) = (v)
#else
#define TRACK(p, v) ((void)(v))
#endif

__global__ void of_flags(float *field, float *mean, int cells)
{
    __shared__ float part[BLOCK];
    const int lane = threadIdx.x;
    float total = 0.0f;
    for (int base = 0; base < cells; base += BLOCK) {
        part[lane] = field[base + lane];
        __syncthreads();
        for (int j = 0; j < BLOCK; ++j)
            total += part[j] * (j ^ lane);
        TRACK(field + base + BLOCK + lane, total);
        __syncthreads();
    }
    mean[lane] = total / cells;
}

// -DSCHEME=2, or another name for it.
#define EXPLICIT 1
#define IN_PLACE 2
#ifndef SCHEME
#define SCHEME EXPLICIT
#endif
#if SCHEME == IN_PLACE
#define APPLY(p, v) *(p) = (v)
#else
#define APPLY(p, v) ((void)(v))
#endif

__global__ void of_scheme(float *field, float *mean, int cells)
{
    __shared__ float part[BLOCK];
    const int lane = threadIdx.x;
    float total = 0.0f;
    for (int base = 0; base < cells; base += BLOCK) {
        part[lane] = field[base + lane];
        __syncthreads();
        for (int j = 0; j < BLOCK; ++j)
            total += part[j] * (j ^ lane);
        APPLY(field + base + BLOCK + lane, total);
        __syncthreads();
    }
    mean[lane] = total / cells;
}

// With the solver of version 2.1.
#define VERSION(major, minor) ((major) << 8 | (minor))
#if defined(SOLVER_MAJOR) && VERSION(SOLVER_MAJOR, SOLVER_MINOR) >= VERSION(2, 1)
#define PATCH(p, v) *(p) = (v)
#else
#define PATCH(p, v) ((void)(v))
#endif

__global__ void of_version(float *field, float *mean, int cells)
{
    __shared__ float part[BLOCK];
    const int lane = threadIdx.x;
    float total = 0.0f;
    for (int base = 0; base < cells; base += BLOCK) {
        part[lane] = field[base + lane];
        __syncthreads();
        for (int j = 0; j < BLOCK; ++j)
            total += part[j] * (j ^ lane);
        PATCH(field + base + BLOCK + lane, total);
        __syncthreads();
    }
    mean[lane] = total / cells;
}

// -DDEEP.
#define LEVEL 1
#ifdef DEEP
#undef LEVEL
#define LEVEL 3
#endif
#if LEVEL > 2
#define REFINE(p, v) *(p) = (v)
#else
#define REFINE(p, v) ((void)(v))
#endif

__global__ void of_level(float *field, float *mean, int cells)
{
    __shared__ float part[BLOCK];
    const int lane = threadIdx.x;
    float total = 0.0f;
    for (int base = 0; base < cells; base += BLOCK) {
        part[lane] = field[base + lane];
        __syncthreads();
        for (int j = 0; j < BLOCK; ++j)
            total += part[j] * (j ^ lane);
        REFINE(field + base + BLOCK + lane, total);
        __syncthreads();
    }
    mean[lane] = total / cells;
}

// Where the compiler has it.
#ifdef __has_attribute
#if __has_attribute(repaired)
#define MEND(p, v) *(p) = (v)
#endif
#endif
#ifndef MEND
#define MEND(p, v) ((void)(v))
#endif

__global__ void of_attribute(float *field, float *mean, int cells)
{
    __shared__ float part[BLOCK];
    const int lane = threadIdx.x;
    float total = 0.0f;
    for (int base = 0; base < cells; base += BLOCK) {
        part[lane] = field[base + lane];
        __syncthreads();
        for (int j = 0; j < BLOCK; ++j)
            total += part[j] * (j ^ lane);
        MEND(field + base + BLOCK + lane, total);
        __syncthreads();
    }
    mean[lane] = total / cells;
}

// All of it is known here: no build stores.
#define BOUNDARY 4
#define CHECKS (1 | 8)
#ifdef DRAFT
#undef DRAFT
#endif
#if (CHECKS & BOUNDARY) || defined(DRAFT) || VERSION(1, 2) > 258 + 0x1
#define KEPT(p, v) *(p) = (v)
#else
#define KEPT(p, v) ((void)(v))
#endif

__global__ void of_this_file(float *field, float *mean, int cells)
{
    __shared__ float part[BLOCK];
    const int lane = threadIdx.x;
    float total = 0.0f;
    for (int base = 0; base < cells; base += BLOCK) {
        part[lane] = field[base + lane];
        __syncthreads();
        for (int j = 0; j < BLOCK; ++j)
            total += part[j] * (j ^ lane);
        KEPT(field + base + BLOCK + lane, total);
        __syncthreads();
    }
    mean[lane] = total / cells;
}
