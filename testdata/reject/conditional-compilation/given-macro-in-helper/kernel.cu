// Samples that a device writes while the kernel runs are read past the caches in the
// build for that machine.
#ifndef GAIN
#define GAIN 0.5f
#endif

__device__ __forceinline__ float sample(const float *samples, int i)
{
#ifdef LIVE_INPUT
    return *reinterpret_cast<const volatile float *>(samples + i);
#endif
    return samples[i];
}

__global__ void __launch_bounds__(64)
windowed_power(const float *__restrict__ samples, float *__restrict__ power, int windows)
{
    __shared__ float window[64];
    const int t = threadIdx.x;
    float p = 0.f;
    for (int w = 0; w < windows; ++w) {
        window[t] = GAIN * sample(samples, (blockIdx.x * windows + w) * 64 + t);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            p += window[j] * window[(j + t) % 64];
        __syncthreads();
    }
    power[blockIdx.x * 64 + t] = p;
}
