// The tile is stored by assembly, so its fetch and store cannot be told apart.
#include <stdint.h>

__global__ void fir(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float acc = 0.0f;
    for (int i = 0; i < n; i += 64) {
        const uint32_t cell = static_cast<uint32_t>(__cvta_generic_to_shared(&tile[threadIdx.x]));
        asm volatile("st.shared.f32 [%0], %1;" ::"r"(cell), "f"(x[i + threadIdx.x]));
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            acc += tile[k] * tile[63 - k];
        __syncthreads();
    }
    y[threadIdx.x] = acc;
}

__device__ __forceinline__ void store_shared(uint32_t cell, float value)
{
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(cell), "f"(value));
}

// One tile of two goes through the function above.
__global__ void fir_two(const float *__restrict__ x, const float *__restrict__ h, float *__restrict__ y, int n)
{
    __shared__ float tile[64], taps[64];
    const uint32_t cells = static_cast<uint32_t>(__cvta_generic_to_shared(taps));
    float acc = 0.0f;
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        store_shared(cells + 4 * threadIdx.x, h[i + threadIdx.x]);
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            acc += tile[k] * taps[63 - k];
        __syncthreads();
    }
    y[threadIdx.x] = acc;
}
