#include <cuda_pipeline.h>

constexpr int STAGES = 3;
constexpr int CHUNK = 256;

__global__ void __launch_bounds__(64)
stream_dot(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out,
           int chunks)
{
    __shared__ __align__(16) float sa[STAGES][CHUNK];
    __shared__ __align__(16) float sb[STAGES][CHUNK];
    const int t = threadIdx.x;

    auto issue = [&](int c) {
        if (c < chunks) {
            __pipeline_memcpy_async(&sa[c % STAGES][4 * t], a + c * CHUNK + 4 * t, 16);
            __pipeline_memcpy_async(&sb[c % STAGES][4 * t], b + c * CHUNK + 4 * t, 16);
        }
        __pipeline_commit();
    };

    for (int c = 0; c < STAGES - 1; ++c) issue(c);
    float s = 0.f;
    for (int c = 0; c < chunks; ++c) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        issue(c + STAGES - 1);
        for (int i = t; i < CHUNK; i += 64)
            s += sa[c % STAGES][i] * sb[c % STAGES][CHUNK - 1 - i];
    }
    out[blockIdx.x * 64 + t] = s;
}
