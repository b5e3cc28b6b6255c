#ifndef READINGS_H
#define READINGS_H

#ifndef PER_DAY
#define PER_DAY 64
#endif

#ifdef TWO_STATIONS
constexpr int kStride = 2 * PER_DAY;
#else
constexpr int kStride = PER_DAY;
#endif

template <typename T> __device__ __forceinline__ T cached(const T *p)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 350
    return __ldg(p);
#else
    return *p;
#endif
}

// Named by nothing that a kernel does.
#ifdef TRACE_LAUNCHES
#define LAUNCHED(name) printf("%s\n", name)
#else
#define LAUNCHED(name)
#endif

#endif
