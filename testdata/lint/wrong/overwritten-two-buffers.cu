#include <cuda_pipeline.h>
#include <cuda_fp16.h>
// Two buffers, and no barrier between the reads of a tile and the copy into its buffer.
constexpr int D = 32, BLK = 32;

__global__ void attend(const half *q, const half *k, const half *v, float *o, int blocks)
{
    __shared__ __align__(16) half Qs[BLK * D];
    __shared__ __align__(16) half Ks[2][BLK * D];
    __shared__ __align__(16) half Vs[2][BLK * D];
    int tid = threadIdx.x;
    auto load = [&](half *to, const half *from) {
        for (int i = tid; i < BLK * D / 8; i += 32)
            __pipeline_memcpy_async(to + i * 8, from + i * 8, 16);
    };
    load(Qs, q);
    if (blocks > 0) {
        load(Ks[0], k);
        load(Vs[0], v);
    }
    __pipeline_commit();
    float acc = 0, m = -1e30f;
    for (int b = 0; b < blocks; ++b) {
        const int now = b & 1;
        if (b + 1 < blocks) {
            load(Ks[!now], k + (b + 1) * BLK * D);
            load(Vs[!now], v + (b + 1) * BLK * D);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int j = 0; j < BLK; ++j) {
            float s = 0;
            for (int d = 0; d < D; d += 2)
                s += __half2float(Qs[tid * D + d]) * __half2float(Ks[now][j * D + d]);
            float up = fmaxf(m, s);
            acc = acc * __expf(m - up) + __expf(s - up) * __half2float(Vs[now][j * D + tid]);
            m = up;
        }
    }
    o[tid] = acc;
}

int main()
{
    half *q, *k, *v;
    float *o;
    int n = 8;
    cudaMalloc(&q, 2048);
    cudaMalloc(&k, n * 2048);
    cudaMalloc(&v, n * 2048);
    cudaMalloc(&o, 128);
    attend<<<1, 32>>>(q, k, v, o, n);
}
