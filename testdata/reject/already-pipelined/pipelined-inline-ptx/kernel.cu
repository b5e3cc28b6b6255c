#include <cstdint>

// cp.async as most hand-tuned kernels write it: in inline PTX, with a stage
// index that wraps.
__device__ __forceinline__ void cp16(void *dst, const void *src)
{
    const uint32_t s = static_cast<uint32_t>(__cvta_generic_to_shared(dst));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(s), "l"(src));
}

__device__ __forceinline__ void cp_commit() { asm volatile("cp.async.commit_group;\n"); }

template <int LEFT>
__device__ __forceinline__ void cp_wait()
{
    asm volatile("cp.async.wait_group %0;\n" ::"n"(LEFT));
}

__global__ void __launch_bounds__(128)
ptx_rows(const float *__restrict__ src, float *__restrict__ dst, int tiles)
{
    __shared__ __align__(128) float ring[2][512];
    const int t = threadIdx.x;
    float s = 0.f;
    int stage = 0;

    cp16(&ring[0][t * 4], src + t * 4);
    cp_commit();
    int k = 1;
    while (k <= tiles) {
        if (k < tiles) cp16(&ring[stage ^ 1][t * 4], src + k * 512 + t * 4);
        cp_commit();
        cp_wait<1>();
        __syncthreads();
        for (int i = 0; i < 4; ++i)
            s += ring[stage][(t * 4 + i * 5) & 511];
        __syncthreads();
        stage ^= 1;
        ++k;
    }
    dst[blockIdx.x * 128 + t] = s;
}
