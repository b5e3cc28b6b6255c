#include <cuda_fp16.h>
template <typename V, typename T> __device__ __forceinline__ V load_as(const T *p) { return *reinterpret_cast<const V *>(p); }
template <typename V, typename T> __device__ __forceinline__ void store_as(T *p, const V &v) { *reinterpret_cast<V *>(p) = v; }
__device__ __forceinline__ void put(half *p, float v) { *p = __float2half(v); }
__device__ __forceinline__ float get(const float *p) { return __ldg(p); }

// pipelinify: launch rows_by_helpers
//   sizes n=0,32,64,96,160 m=20,32
//   target n=65536 m=32
//   block 32
//   a: in [n * 32 + 4]
//   b: in [n * 32 + 4]
//   o: inout [32]
//   n: n
//   m: m
__global__ void rows_by_helpers(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ o, int n, int m)
{
    __shared__ __align__(16) float As[32][32];
    __shared__ half Bs[32];
    __shared__ float Cs[32];
    float s = 0;
    const int t = threadIdx.x;
    // pipelinify: ldg-single, 1 stage, source 66661568
    int k0 = 0;
    if (k0 < n) {
        for (int r = 0; r < 32; r += 4)
            store_as<float4>(&As[r + t / 8][t % 8 * 4], load_as<float4>(a + (r + t / 8) * n + k0 + t % 8 * 4));
        put(Bs + t, get(b + k0 * 32 + t));
        if (t < m)
            store_as<float>(&Cs[t], b[k0 * 32 + 32 + t]);
        else
            store_as<float>(&Cs[t], 0.f);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 32; k0 < n; k0 += 32) {
            float4 As_next[8];
            float Cs_next;
            #pragma unroll
            for (int r = 0; r < 32; r += 4)
                As_next[r / 4] = load_as<float4>(a + (r + t / 8) * n + k0 + t % 8 * 4);
            float Bs_next = get(b + k0 * 32 + t);
            if (t < m)
                Cs_next = b[k0 * 32 + 32 + t];
            for (int i = 0; i < 32; ++i)
                s += As[t][i] * __half2float(Bs[i]) + Cs[31 - i] * i;
            __syncthreads();
            #pragma unroll
            for (int r = 0; r < 32; r += 4)
                store_as<float4>(&As[r + t / 8][t % 8 * 4], As_next[r / 4]);
            put(Bs + t, Bs_next);
            if (t < m)
                store_as<float>(&Cs[t], Cs_next);
            else
                store_as<float>(&Cs[t], 0.f);
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            s += As[t][i] * __half2float(Bs[i]) + Cs[31 - i] * i;
    }
    o[t] = s;
}
