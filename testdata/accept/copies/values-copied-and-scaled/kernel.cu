// One loaded value is kept as it is in one tile and scales bytes for another; the index changes between the
// stores, the source's pointer moves on between the loads, and compute needs the loop's variable.
#include <cuda_runtime.h>

#define T 64

// pipelinify: launch scaled_bytes
//   sizes  n=0,64,128,192,320
//   target n=65536
//   grid   2
//   block  64
//   A:     in  [n + 64] random
//   B:     in  [n + 64] random
//   out:   out [128]
//   n:     n
__global__ void scaled_bytes(const float *__restrict__ A, const unsigned char *__restrict__ B,
                             float *__restrict__ out, int n)
{
    __shared__ float kept[T], scaled[T], turned[T];
    float acc = 0.0f;
    const float *from = A;
    for (int k0 = 0; k0 < n; k0 += T) {
        const float v = *(from + threadIdx.x);
        kept[threadIdx.x] = v;
        from += T;
        int at = threadIdx.x;
        scaled[at] = B[k0 + at] * v;
        at = T - 1 - at;
        turned[at] = A[k0 + at];
        __syncthreads();
        for (int k = 0; k < T; ++k)
            acc += kept[k] * scaled[(k + threadIdx.x) % T] - turned[k] * k0;
        __syncthreads();
    }
    out[blockIdx.x * T + threadIdx.x] = acc + (from - A);
}

// pipelinify: launch reciprocals
//   sizes  n=0,64,128,192,320
//   target n=65536
//   grid   1
//   block  64
//   A:     in  [n + 64] random
//   B:     in  [n + 64] random
//   out:   out [64]
//   n:     n
__global__ void reciprocals(const float *__restrict__ A, const unsigned char *__restrict__ B,
                            float *__restrict__ out, int n)
{
    __shared__ float a[T], r[T];
    float acc = 0.0f;
    for (int k0 = 0; k0 < n; k0 += T) {
        float *to_a = a + threadIdx.x;
        float *to_r = &r[threadIdx.x];
        *to_a = A[k0 + threadIdx.x];
        *to_r = 1.0f / (1 + B[k0 + threadIdx.x]);
        __syncthreads();
        for (int k = 0; k < T; ++k)
            acc += a[k] * r[(k + threadIdx.x) % T];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
