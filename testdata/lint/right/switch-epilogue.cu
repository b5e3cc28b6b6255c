// A main loop without conditions and an epilogue whose waits are unrolled by a template.
#include <cstdint>
template <int N> __device__ __forceinline__ void wait_group() { asm volatile("cp.async.wait_group %0;\n" ::"n"(N) : "memory"); }
__device__ __forceinline__ void copy16(void *d, const void *s)
{
    unsigned a = __cvta_generic_to_shared(d);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n" ::"r"(a), "l"(s));
}
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }
constexpr int S = 4;
__device__ float eat(const float4 *tile) { const float4 v = tile[31 - threadIdx.x % 32 + threadIdx.x / 32 * 32]; return v.x + v.y * v.z - v.w; }
template <int LEFT> __device__ float drain(float4 (*ring)[64], int first, int n)
{
    if constexpr (LEFT > 0) {
        float v = 0;
        if (n >= LEFT) {
            wait_group<LEFT - 1>();
            __syncthreads();
            v = eat(ring[(n - LEFT) % S]);
        }
        return v + drain<LEFT - 1>(ring, first, n);
    }
    return 0.f;
}
__global__ void __launch_bounds__(64) split(const float4 *g, float *o, int n)
{
    __shared__ float4 ring[S][64];
    const int t = threadIdx.x;
    const int ahead = n < S - 1 ? n : S - 1;
    for (int i = 0; i < ahead; ++i) {
        copy16(&ring[i][t], g + i * 64 + t);
        commit();
    }
    float acc = 0;
    int k = 0;
    for (; k + S - 1 < n; ++k) {
        wait_group<S - 2>();
        __syncthreads();
        copy16(&ring[(k + S - 1) % S][t], g + (k + S - 1) * 64 + t);
        commit();
        acc += eat(ring[k % S]);
    }
    acc += drain<S - 1>(ring, k, n);
    o[t] = acc;
}
void run(const float4 *g, float *o, int n) { split<<<1, 64>>>(g, o, n); }
