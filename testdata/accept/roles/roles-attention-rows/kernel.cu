// Attention of one query a thread over tiles of keys and values: a running maximum, and pointers that walk.
#include <cuda_runtime.h>

#define D 32
#define KEYS 16

// pipelinify: launch attend
//   sizes  keys=16,32,80 heads=2
//   target keys=2048 heads=2048
//   grid   heads
//   block  64
//   q:     in  [heads * 64 * 32]
//   k:     in  [heads * keys * 32]
//   v:     in  [heads * keys * 32]
//   out:   out [heads * 64 * 32]
//   keys:  keys
//   scale: 0.25
__global__ void attend(const float *__restrict__ q, const float *__restrict__ k, const float *__restrict__ v,
                       float *__restrict__ out, int keys, float scale)
{
    __shared__ float ks[KEYS][D], vs[KEYS][D];
    const int t = threadIdx.x;
    q += (blockIdx.x * 64 + t) * D;
    out += (blockIdx.x * 64 + t) * D;
    const float *kp = k + (size_t)blockIdx.x * keys * D, *vp = v + (size_t)blockIdx.x * keys * D;
    const float *const end = kp + keys * D;
    float mine[D], acc[D];
    for (int d = 0; d < D; ++d) {
        mine[d] = q[d] * scale;
        acc[d] = 0.f;
    }
    float most = -1e30f, sum = 0.f;
    for (; kp < end; kp += KEYS * D, vp += KEYS * D) {
        for (int i = t; i < KEYS * D; i += 64) {
            ks[i / D][i % D] = kp[i];
            vs[i / D][i % D] = vp[i];
        }
        __syncthreads();
        for (int j = 0; j < KEYS; ++j) {
            float s = 0.f;
            for (int d = 0; d < D; ++d)
                s += mine[d] * ks[j][d];
            const float now = fmaxf(most, s), keep = expf(most - now), p = expf(s - now);
            sum = sum * keep + p;
            for (int d = 0; d < D; ++d)
                acc[d] = acc[d] * keep + p * vs[j][d];
            most = now;
        }
        __syncthreads();
    }
    for (int d = 0; d < D; ++d)
        out[d] = acc[d] / sum;
}

void run(const float *q, const float *k, const float *v, float *out, int heads, int keys)
{
    attend<<<heads, 64>>>(q, k, v, out, keys, 0.25f);
}
