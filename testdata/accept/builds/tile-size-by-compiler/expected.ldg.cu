// Tiles that one compiler of hosts gets wider than another, and what no build of them sees:
// a second barrier for compilers that make no code here, and a store of a debug build that
// the file itself never is.
#include <cuda_runtime.h>

#if defined(_MSC_VER)
#define BINS 64
#define ALWAYS_INLINE __forceinline
#elif defined(__GNUC__)
#define BINS 32
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#error "an unknown compiler"
#endif

#define RELEASE
#if defined(RELEASE) && !defined(CHECKED_RELEASE)
#undef CHECKS
#else
#define CHECKS 1
#endif

__device__ ALWAYS_INLINE float weigh(float sample, float weight)
{
    return sample * weight;
}

__global__ void correlate(const float *__restrict__ signal, const float *__restrict__ shape,
                          float *__restrict__ out, int n)
{
    __shared__ float part_stage[2][4][BINS];
    const int lag = blockIdx.x * blockDim.x + threadIdx.x;
    float sum[4] = {0.0f};
    // pipelinify: ldg, 2 stages, source b8c17516
    int from = 0, from_tile = from, stage = 0;
    if (from < n) {
        auto compute_tile = [&]() {
            auto &part = part_stage[stage];
            auto &from = from_tile;
#ifdef RELEASE
            for (int b = 0; b < BINS; ++b) {
                const float weight = shape[from + b + lag];
#pragma unroll
                for (int channel = 0; channel < 4; ++channel)
                    sum[channel] += weigh(part[channel][b], weight);
            }
#else
            sum[0] += part[0][lag % BINS];
            __syncthreads();
#endif
        };
        {
            auto &part = part_stage[0];
            if (threadIdx.x < 4) {
                for (int b = 0; b < BINS; ++b)
                    part[threadIdx.x][b] = signal[threadIdx.x * n + from + b];
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (from += BINS; from < n; from += BINS) {
            float part_next[BINS];
            if (threadIdx.x < 4) {
#pragma unroll
                for (int b = 0; b < BINS; ++b) {
                    part_next[b] = signal[threadIdx.x * n + from + b];
                }
            }
            compute_tile();
            from_tile += BINS;
            stage ^= 1;
            {
                auto &part = part_stage[stage];
                if (threadIdx.x < 4) {
#pragma unroll
                    for (int b = 0; b < BINS; ++b) {
                        part[threadIdx.x][b] = part_next[b];
                    }
                }
            }
            __syncthreads();
        }
        compute_tile();
    }
    for (int channel = 0; channel < 4; ++channel)
        out[channel * gridDim.x * blockDim.x + lag] = sum[channel];
}

int main(void)
{
    const int n = 1024, lags = 256;
    float *signal, *shape, *out;
    cudaMalloc(&signal, 4 * n * sizeof *signal);
    cudaMalloc(&shape, (n + lags) * sizeof *shape);
    cudaMalloc(&out, 4 * lags * sizeof *out);
    correlate<<<lags / 64, 64>>>(signal, shape, out, n);
    return cudaDeviceSynchronize() != cudaSuccess;
}
