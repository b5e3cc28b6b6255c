// A template of the block's width, launched with two: each launch gets a second layer, and the bounds are the larger ones'.
#include <cuda_runtime.h>

template <int T> __global__ void dots(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ out, int n)
{
    __shared__ float xs[T], ws[T];
    __shared__ float sums[T / 32];
    if ((int)blockIdx.x * T >= n)
        return; // the whole block
    float sum = 0;
    const float *row = x + (size_t)blockIdx.x * n;
    for (int at = 0; at < n; at += T) {
        const int i = at + threadIdx.x;
        xs[threadIdx.x] = i < n ? row[i] : 0.f;
        ws[threadIdx.x] = i < n ? w[i] : 0.f;
        __syncthreads();
        sum += xs[T - 1 - threadIdx.x] * ws[T - 1 - threadIdx.x];
        __syncthreads();
    }
    // What follows is done by the block as it was.
    for (int step = 16; step; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < T / 32; ++i)
            sum += sums[i];
        out[blockIdx.x] = sum;
    }
}

// pipelinify: launch dots<64>
//   sizes  n=1,64,100,300
//   grid   (n + 63) / 64 + 1
//   block  64
//   x:     in  [n * ((n + 63) / 64 + 1)]
//   w:     in  [n]
//   out:   out [(n + 63) / 64 + 1]
//   n:     n
// pipelinify: launch dots<256>
//   sizes  n=256,700
//   grid   2
//   block  256
//   x:     in  [n * 2]
//   w:     in  [n]
//   out:   out [2]
//   n:     n
void run(const float *x, const float *w, float *out, int n, bool wide)
{
    if (wide)
        dots<256><<<2, 256>>>(x, w, out, n);
    else
        dots<64><<<(n + 63) / 64 + 1, 64>>>(x, w, out, n);
}
