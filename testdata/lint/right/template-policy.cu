#include <cuda_pipeline.h>
// The loads are a policy class; stages and widths are its constants.
struct Wide {
    static constexpr int kBytes = 16, kStages = 2, kThreads = 32;
    template <class T> static __device__ void copy(T *to, const T *from)
    {
        constexpr int per = kBytes / sizeof(T);
        __pipeline_memcpy_async(to + threadIdx.x * per, from + threadIdx.x * per, kBytes);
    }
};
struct Narrow {
    static constexpr int kBytes = 4, kStages = 4, kThreads = 64;
    template <class T> static __device__ void copy(T *to, const T *from)
    {
        __pipeline_memcpy_async(to + threadIdx.x, from + threadIdx.x, sizeof(T));
    }
};

template <class P> __global__ void __launch_bounds__(P::kThreads) reduce(const float *in, float *out, int tiles)
{
    constexpr int size = P::kThreads * P::kBytes / 4;
    __shared__ __align__(16) float s[P::kStages][size];
    for (int t = 0; t < P::kStages - 1; ++t) {
        if (t < tiles)
            P::copy(s[t], in + t * size);
        __pipeline_commit();
    }
    float acc = 0;
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(P::kStages - 2);
        __syncthreads();
        const int ahead = t + P::kStages - 1;
        if (ahead < tiles)
            P::copy(s[ahead % P::kStages], in + ahead * size);
        __pipeline_commit();
        for (int i = threadIdx.x; i < size; i += P::kThreads)
            acc += s[t % P::kStages][size - 1 - i];
    }
    out[threadIdx.x] = acc;
}

void both(const float *i, float *o, int t)
{
    reduce<Wide><<<1, 32>>>(i, o, t);
    reduce<Narrow><<<1, 64>>>(i, o, t);
}
