#include <cuda_pipeline.h>
// if constexpr chooses asynchronous copies or registers.
template <bool ASYNC, int S> struct Loader {
    float reg;
    __device__ void fetch(float *to, const float *from, bool on)
    {
        if constexpr (ASYNC) {
            if (on) __pipeline_memcpy_async(to, from, 4);
            __pipeline_commit();
        } else {
            reg = on ? *from : 0.f;
        }
    }
    __device__ void land(float *to)
    {
        if constexpr (ASYNC) __pipeline_wait_prior(0);
        else *to = reg;
        __syncthreads();
    }
};
template <bool ASYNC, int S> __global__ void any_way(const float *in, float *out, int n)
{
    __shared__ float s[S][128];
    Loader<ASYNC, S> l;
    const int i = threadIdx.x;
    float acc = 0;
    l.fetch(&s[0][i], in + i, n > 0);
    for (int k = 0; k < n; ++k) {
        l.land(&s[k % S][i]);
        l.fetch(&s[(k + 1) % S][i], in + (k + 1) * 128 + i, k + 1 < n);
        acc += s[k % S][127 - i];
    }
    out[i] = acc;
}
void run(const float *i, float *o, int n) { any_way<true, 2><<<1, 128>>>(i, o, n); any_way<false, 2><<<1, 128>>>(i, o, n); }
