// Keys and values of an attention head: one group for both, the scores between them.
#include <cuda_pipeline.h>
#define HEAD 64
struct Tile { float key[16][HEAD], value[16][HEAD]; };
__global__ void __launch_bounds__(HEAD) attend(const float *__restrict__ q, const float *__restrict__ kv, float *__restrict__ o, int blocks)
{
    __shared__ Tile tile[2];
    __shared__ float score[16];
    const int d = threadIdx.x;
    const float mine = q[d];
    auto request = [=](int b) {
        Tile &to = tile[b & 1];
        const float *from = kv + b * 2 * 16 * HEAD;
        for (int r = 0; r < 16; ++r) {
            __pipeline_memcpy_async(&to.key[r][d], from + r * HEAD + d, 4);
            __pipeline_memcpy_async(&to.value[r][d], from + (16 + r) * HEAD + d, 4);
        }
    };
    if (blocks) request(0);
    __pipeline_commit();
    float sum = 0, norm = 0;
    for (int b = 0; b < blocks; ++b) {
        if (b + 1 < blocks) request(b + 1);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        Tile &now = tile[b & 1];
        if (d < 16) {
            float s = 0;
            for (int i = 0; i < HEAD; ++i) s += now.key[d][i];
            score[d] = __expf(s * mine);
        }
        __syncthreads();
        for (int r = 0; r < 16; ++r) { sum += score[r] * now.value[r][d]; norm += score[r]; }
        __syncthreads();
    }
    o[d] = norm > 0 ? sum / norm : 0;
}
