#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#define T 128

// pipelinify: launch single
//   sizes    n=0,128,256,640
//   block    128
//   a:       in [n] random
//   out:     out [128]
//   n:       n
__global__ void single(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ alignas(16) float sa[T];
    float acc = 0;
    for (int i = 0; i < n; i += T) {
        __pipeline_memcpy_async(&sa[threadIdx.x], &a[i + threadIdx.x], sizeof(float));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int j = 0; j < T; ++j)
            acc += sa[(threadIdx.x + j) % T];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

// Elements of any 4 or 8 bytes.
// pipelinify: launch typed<int>
//   sizes    n=0,64,192
//   block    64
//   a:       in [n] random
//   out:     out [64]
//   n:       n
// pipelinify: launch typed<double>
//   sizes    n=0,64,320
//   block    64
//   a:       in [n] random
//   out:     out [64]
//   n:       n
template <typename E>
__global__ void typed(const E *__restrict__ a, E *__restrict__ out, int n)
{
    __shared__ E s[64];
    E acc = 0;
    for (const E *p = a; p < a + n; p += 64) {
        __pipeline_memcpy_async(s + threadIdx.x, p + threadIdx.x, sizeof(E));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            acc += s[(threadIdx.x + j) % 64] * (E)(j + 1);
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

// A matrix whose ends no tile fits: zeros are copied beyond them.
// pipelinify: launch ragged
//   sizes    m=8,24,20 k=16,32,40,44
//   grid     (m + 15) / 16
//   block    64
//   a:       in [m * k] random
//   x:       in [k] random
//   y:       out [m * 4]
//   m:       m
//   k:       k
__global__ void ragged(const float *__restrict__ a, const float *__restrict__ x,
                       float *__restrict__ y, int m, int k)
{
    __shared__ __align__(16) float as[16][16];
    __shared__ float xs[16];
    const int r = threadIdx.x / 4, c = threadIdx.x % 4 * 4, row = blockIdx.x * 16 + r;
    float sum = 0;
    for (int k0 = 0; k0 < k; k0 += 16) {
        const bool there = row < m && k0 + c < k;
        __pipeline_memcpy_async(&as[r][c], &a[there ? row * k + k0 + c : 0], 16,
                                there ? 0 : 16);
        if (threadIdx.x < 16)
            __pipeline_memcpy_async(&xs[threadIdx.x], &x[k0 + threadIdx.x < k ? k0 + threadIdx.x : 0],
                                    4, k0 + threadIdx.x < k ? 0 : 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int j = 0; j < 4; ++j)
            sum += as[r][4 * (threadIdx.x % 4) + j] * xs[4 * (threadIdx.x % 4) + j];
        __syncthreads();
    }
    if (row < m)
        y[row * 4 + threadIdx.x % 4] = sum;
}

// Halves and bytes, 16 at a time, by loops of as many rounds as it takes.
// pipelinify: launch narrow
//   sizes    tiles=0,1,2,3
//   block    64
//   a:       in [tiles * 1024] random
//   b:       in [tiles * 1024] random
//   out:     out [64]
//   tiles:   tiles
__global__ void narrow(const __half *__restrict__ a, const signed char *__restrict__ b,
                       float *__restrict__ out, int tiles)
{
    __shared__ __align__(16) __half sa[16][64];
    __shared__ __align__(16) signed char sb[1024];
    float acc = 0;
    for (int k = 0; k < tiles; ++k) {
        for (int i = threadIdx.x; i < 128; i += 64)
            __pipeline_memcpy_async(&sa[i / 8][i % 8 * 8], &a[k * 1024 + i * 8], 16);
        __pipeline_commit();
        __pipeline_memcpy_async(sb + threadIdx.x * 16, b + k * 1024 + threadIdx.x * 16, 16);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int j = 0; j < 16; ++j)
            acc += __half2float(sa[j][threadIdx.x]) * (float)sb[threadIdx.x * 16 + j];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

// A loop of loops, each of which copies for itself; the inner one is rewritten.
// pipelinify: launch in_rounds
//   sizes    tiles=0,1,2,3 rounds=1,3
//   block    64
//   a:       in [rounds * tiles * 64] random
//   w:       in [rounds * 64] random
//   out:     out [64]
//   tiles:   tiles
//   rounds:  rounds
__global__ void in_rounds(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ out, int tiles, int rounds)
{
    __shared__ float s[64], r[64];
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < rounds; ++i) {
        __pipeline_memcpy_async(&r[t], &w[i * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int k = 0; k < tiles; ++k) {
            __pipeline_memcpy_async(&s[t], &a[(i * tiles + k) * 64 + t], 4);
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();
            for (int j = 0; j < 64; ++j) sum += s[(t + j) % 64] * r[j];
            __syncthreads();
        }
    }
    out[t] = sum;
}
