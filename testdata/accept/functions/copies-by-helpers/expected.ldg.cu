// Rows of four words a thread, read and written through the project's own helpers.
#include <cuda_runtime.h>

__device__ __forceinline__ float4 read4(const float *from) { return *reinterpret_cast<const float4 *>(from); }
__device__ __forceinline__ void write4(float *to, float4 v) { *reinterpret_cast<float4 *>(to) = v; }
__device__ __forceinline__ float read1(const float *from) { return __ldg(from); }
__device__ __forceinline__ void write1(float v, float *to) { to[0] = v; }

// pipelinify: launch scaled_rows
//   sizes n=0,1,2,3,4,7 live=0,19,32
//   target n=4096 live=32
//   block 32
//   a:    in  [n * 128] random
//   b:    in  [n * 32] random
//   c:    in  [n * 64] random
//   y:    out [32]
//   n:    n
//   live: live
__global__ void scaled_rows(const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c,
                            float *__restrict__ y, int n, int live)
{
    __shared__ __align__(16) float rows_stage[2][4][32], scale_stage[2][32], shift_stage[2][2][32];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 9035f3be
    int k = 0, stage = 0;
    if (k < n) {
        write4(&rows_stage[0][t / 8][t % 8 * 4], t < live ? read4(a + k * 128 + t * 4) : make_float4(0, 0, 0, 0));
        write1(read1(b + k * 32 + t), scale_stage[0] + t); // one a column
        for (int i = 0; i < 2; ++i) {
            const float v = read1(&c[(k * 2 + i) * 32 + t]);
            write1(v, &shift_stage[0][i][t]);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float v_next[2];
            float4 rows_next = t < live ? read4(a + k * 128 + t * 4) : make_float4(0, 0, 0, 0);
            float scale_next = read1(b + k * 32 + t); // one a column
            #pragma unroll
            for (int i = 0; i < 2; ++i) {
                const float v = read1(&c[(k * 2 + i) * 32 + t]);
                v_next[i] = v;
            }
            for (int i = 0; i < 32; ++i)
                sum += rows_stage[stage][t % 4][i] * scale_stage[stage][i] + shift_stage[stage][i & 1][31 - i];
            stage ^= 1;
            write4(&rows_stage[stage][t / 8][t % 8 * 4], rows_next);
            write1(scale_next, scale_stage[stage] + t);
            #pragma unroll
            for (int i = 0; i < 2; ++i) {
                float v = v_next[i];
                write1(v, &shift_stage[stage][i][t]);
            }
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            sum += rows_stage[stage][t % 4][i] * scale_stage[stage][i] + shift_stage[stage][i & 1][31 - i];
    }
    y[t] = sum;
}
