// What another compiler, another architecture or another toolkit sees stores to what later
// tiles are loaded from: in a branch behind the compiler's own, in one that asks whether a
// header is there, behind an #undef, ahead of the file's own #define.
#include <cuda_runtime.h>

#define CHUNK 128

#ifdef __GNUC__
#define KEEP(p, v) ((void)(v))
#elif defined(WRITE_BACK)
#define KEEP(p, v) (*(p) = (v))
#else
#define KEEP(p, v) ((void)(v))
#endif

// cl.exe with -DWRITE_BACK.
__global__ void smooth(float *signal, float *out, int n)
{
    __shared__ float window[CHUNK];
    const int t = threadIdx.x;
    float level = 0.0f;
    for (int at = 0; at < n; at += CHUNK) {
        window[t] = signal[at + t];
        __syncthreads();
        for (int j = 0; j < CHUNK; ++j)
            level = 0.9f * level + 0.1f * window[(t + j) % CHUNK];
        KEEP(signal + at + t + CHUNK, level);
        __syncthreads();
    }
    out[blockIdx.x * CHUNK + t] = level;
}

// -arch=sm_90a.
__global__ void smooth_of_feature(float *signal, float *out, int n)
{
    __shared__ float window[CHUNK];
    const int t = threadIdx.x;
    float level = 0.0f;
    for (int at = 0; at < n; at += CHUNK) {
        window[t] = signal[at + t];
        __syncthreads();
        for (int j = 0; j < CHUNK; ++j)
            level = 0.9f * level + 0.1f * window[(t + j) % CHUNK];
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        signal[at + t + CHUNK] = level;
#endif
        __syncthreads();
    }
    out[blockIdx.x * CHUNK + t] = level;
}

#if __has_include(<acquisition/feedback.h>)
#define FEEDBACK 1
#else
#define FEEDBACK 0
#endif
#if FEEDBACK
#define RETURNED(p, v) (*(p) = (v))
#else
#define RETURNED(p, v) ((void)0)
#endif

__global__ void smooth_where_installed(float *signal, float *out, int n)
{
    __shared__ float window[CHUNK];
    const int t = threadIdx.x;
    float level = 0.0f;
    for (int at = 0; at < n; at += CHUNK) {
        window[t] = signal[at + t];
        __syncthreads();
        for (int j = 0; j < CHUNK; ++j)
            level = 0.9f * level + 0.1f * window[(t + j) % CHUNK];
        RETURNED(signal + at + t + CHUNK, level);
        __syncthreads();
    }
    out[blockIdx.x * CHUNK + t] = level;
}

#define READ_ONLY
#ifdef CALIBRATING
#undef READ_ONLY
#endif
#ifdef READ_ONLY
#define CORRECT(p, v)
#else
#define CORRECT(p, v) *(p) -= (v)
#endif

__global__ void smooth_calibrated(float *signal, float *out, int n)
{
    __shared__ float window[CHUNK];
    const int t = threadIdx.x;
    float level = 0.0f;
    for (int at = 0; at < n; at += CHUNK) {
        window[t] = signal[at + t];
        __syncthreads();
        for (int j = 0; j < CHUNK; ++j)
            level = 0.9f * level + 0.1f * window[(t + j) % CHUNK];
        CORRECT(signal + at + t + CHUNK, level);
        __syncthreads();
    }
    out[blockIdx.x * CHUNK + t] = level;
}

#ifdef REPLAY
#define REPLACE(p, v) *(p) = (v)
#else
#define REPLACE(p, v)
#endif
#define REPLAY 1

__global__ void smooth_replayed(float *signal, float *out, int n)
{
    __shared__ float window[CHUNK];
    const int t = threadIdx.x;
    float level = 0.0f;
    for (int at = 0; at < n; at += CHUNK) {
        window[t] = signal[at + t];
        __syncthreads();
        for (int j = 0; j < CHUNK; ++j)
            level = 0.9f * level + 0.1f * window[(t + j) % CHUNK];
        REPLACE(signal + at + t + CHUNK, level);
        __syncthreads();
    }
    out[blockIdx.x * CHUNK + t] = level;
}

// Which no build sees: an architecture below that of a feature, a Windows that is Linux.
#if defined(_WIN32) && defined(__linux__)
#define AFTER(p, v) (*(p) = (v))
#elif !defined(__CUDA_ARCH__) && defined(REPLAY_LATER)
#define AFTER(p, v) (*(p) = (v))
#elif defined(__GNUC__) && __GNUC__ < 0
#define AFTER(p, v) (*(p) = (v))
#else
#define AFTER(p, v) ((void)(v))
#endif

__global__ void smooth_everywhere(const float *__restrict__ signal, float *__restrict__ out, int n)
{
    __shared__ float window[CHUNK];
    const int t = threadIdx.x;
    float level = 0.0f;
    for (int at = 0; at < n; at += CHUNK) {
        window[t] = signal[at + t];
        __syncthreads();
        for (int j = 0; j < CHUNK; ++j)
            level = 0.9f * level + 0.1f * window[(t + j) % CHUNK];
        AFTER((float *)signal + at + t + CHUNK, level);
        __syncthreads();
    }
    out[blockIdx.x * CHUNK + t] = level;
}
