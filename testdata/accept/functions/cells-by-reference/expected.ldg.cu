#include <cuda_fp16.h>

__device__ __forceinline__ void put(float &to, const float &v) { to = v; }
__device__ __forceinline__ void put(__half &to, float v) { (to) = __float2half(v); }
template <typename T> __device__ __forceinline__ void place(T &to, const T &v) { to = v; }
template <typename A, typename B> __device__ __forceinline__ void scaled(A &to, B v) { to = v * 0.5f; }

struct Sample {
    float value, weight;
};

__device__ __forceinline__ void fill_row(float *row, const float *from, int t, int n)
{
    if (t < n)
        put(row[t], from[t]);
    else
        put(row[t], 0.f);
}

__device__ __forceinline__ auto fill_row_fetch(const float *from, int t, int n)
{
    struct {
        float row_next;
    } next;
    if (t < n)
        next.row_next = from[t];
    return next;
}

template <typename Registers>
__device__ __forceinline__ void fill_row_store(float *row, int t, int n, const Registers &next)
{
    if (t < n)
        put(row[t], next.row_next);
    else
        put(row[t], 0.f);
}

// pipelinify: launch weighted_rows
//   sizes n=0,32,64,96,160 m=20,32
//   target n=65536 m=32
//   block 32
//   a: in [n * 32 + 160]
//   b: in [n * 32 + 160]
//   o: inout [32]
//   n: n
//   m: m
__global__ void weighted_rows(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ o, int n, int m)
{
    __shared__ float rows_stage[2][4][32];
    __shared__ __half scales_stage[2][32];
    __shared__ Sample samples_stage[2][32];
    __shared__ __align__(16) float wide_stage[2][128];
    __shared__ float tail_stage[2][32];
    const int t = threadIdx.x;
    float s = 0;
    // pipelinify: ldg, 2 stages, source c7530ccf
    int k0 = 0, stage = 0;
    if (k0 < n) {
        for (int r = 0; r < 4; ++r)
            put(rows_stage[0][r][t], a[(k0 + r) * 32 + t]);
        put(scales_stage[0][t], b[k0 * 32 + t]);
        scaled(samples_stage[0][t].value, b[k0 * 32 + 32 + t]);
        place(samples_stage[0][t].weight, a[k0 * 32 + 128 + t]);
        place(reinterpret_cast<float4 *>(wide_stage[0])[t], reinterpret_cast<const float4 *>(b + k0 * 32)[t]);
        fill_row(tail_stage[0], b + k0 * 32, t, m);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 32; k0 < n; k0 += 32) {
            float rows_next[4];
            #pragma unroll
            for (int r = 0; r < 4; ++r)
                rows_next[r] = a[(k0 + r) * 32 + t];
            float scales_next = b[k0 * 32 + t];
            float samples_next = b[k0 * 32 + 32 + t];
            float samples_next2 = a[k0 * 32 + 128 + t];
            float4 wide_next = reinterpret_cast<const float4 *>(b + k0 * 32)[t];
            auto tail_next = fill_row_fetch(b + k0 * 32, t, m);
            for (int i = 0; i < 32; ++i)
                s += rows_stage[stage][i % 4][(t + i) % 32] * __half2float(scales_stage[stage][i]) +
                     samples_stage[stage][i].value * samples_stage[stage][31 - i].weight +
                     wide_stage[stage][i * 4 + t % 4] * tail_stage[stage][31 - i];
            stage ^= 1;
            #pragma unroll
            for (int r = 0; r < 4; ++r)
                put(rows_stage[stage][r][t], rows_next[r]);
            put(scales_stage[stage][t], scales_next);
            scaled(samples_stage[stage][t].value, samples_next);
            place(samples_stage[stage][t].weight, samples_next2);
            place(reinterpret_cast<float4 *>(wide_stage[stage])[t], wide_next);
            fill_row_store(tail_stage[stage], t, m, tail_next);
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            s += rows_stage[stage][i % 4][(t + i) % 32] * __half2float(scales_stage[stage][i]) +
                 samples_stage[stage][i].value * samples_stage[stage][31 - i].weight + wide_stage[stage][i * 4 + t % 4] * tail_stage[stage][31 - i];
    }
    o[t] = s;
}
