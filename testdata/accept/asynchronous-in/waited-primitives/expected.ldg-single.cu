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
    // pipelinify: ldg-single, 1 stage, source 00556707
    int i = 0;
    if (i < n) {
        sa[threadIdx.x] = a[i + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += T; i < n; i += T) {
            float sa_next = a[i + threadIdx.x];
            for (int j = 0; j < T; ++j)
                acc += sa[(threadIdx.x + j) % T];
            __syncthreads();
            sa[threadIdx.x] = sa_next;
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            acc += sa[(threadIdx.x + j) % T];
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
    // pipelinify: ldg-single, 1 stage, source f6dead20
    static_assert(__is_trivially_copyable(E) && !__is_same(E, volatile E), "E must be plain data and not volatile");
    const E *p = a;
    if (p < a + n) {
        s[threadIdx.x] = p[threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (p += 64; p < a + n; p += 64) {
            E s_next = p[threadIdx.x];
            for (int j = 0; j < 64; ++j)
                acc += s[(threadIdx.x + j) % 64] * (E)(j + 1);
            __syncthreads();
            s[threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            acc += s[(threadIdx.x + j) % 64] * (E)(j + 1);
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
    // pipelinify: ldg-single, 1 stage, source 56d54c78
    int k0 = 0;
    if (k0 < k) {
        {
            const bool there = row < m && k0 + c < k;
            if (there)
                *reinterpret_cast<float4 *>(&as[r][c]) =
                *reinterpret_cast<const float4 *>(&a[there ? row * k + k0 + c : 0]); else *reinterpret_cast<float4 *>(&as[r][c]) =
                make_float4(0, 0, 0, 0);
            if (threadIdx.x < 16)
                { if (k0 + threadIdx.x < k) xs[threadIdx.x] = x[k0 + threadIdx.x < k ? k0 + threadIdx.x : 0];
                  else xs[threadIdx.x] = 0; }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 16; k0 < k; k0 += 16) {
            float4 as_next;
            float xs_next;
            const bool there = row < m && k0 + c < k;
            if (there)
                as_next = *reinterpret_cast<const float4 *>(&a[there ? row * k + k0 + c : 0]);
            else
                as_next = make_float4(0, 0, 0, 0);
            if (threadIdx.x < 16) {
                if (k0 + threadIdx.x < k)
                    xs_next = x[k0 + threadIdx.x < k ? k0 + threadIdx.x : 0];
                else
                    xs_next = 0;
            }
            for (int j = 0; j < 4; ++j)
                sum += as[r][4 * (threadIdx.x % 4) + j] * xs[4 * (threadIdx.x % 4) + j];
            __syncthreads();
            *reinterpret_cast<float4 *>(&as[r][c]) = as_next;
            if (threadIdx.x < 16) {
                xs[threadIdx.x] = xs_next;
            }
            __syncthreads();
        }
        for (int j = 0; j < 4; ++j)
            sum += as[r][4 * (threadIdx.x % 4) + j] * xs[4 * (threadIdx.x % 4) + j];
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
    // pipelinify: ldg-single, 1 stage, source 4608b4da
    int k = 0;
    if (k < tiles) {
        for (int i = threadIdx.x; i < 128; i += 64)
            { *reinterpret_cast<uint4 *>(&sa[i / 8][i % 8 * 8]) = *reinterpret_cast<const uint4 *>(&a[k * 1024 + i * 8]); }
        *reinterpret_cast<uint4 *>(sb + threadIdx.x * 16) = *reinterpret_cast<const uint4 *>(b + k * 1024 + threadIdx.x * 16);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            uint4 sa_next[2];
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                sa_next[slot] = *reinterpret_cast<const uint4 *>(&a[k * 1024 + i * 8]);
            }
            uint4 sb_next = *reinterpret_cast<const uint4 *>(b + k * 1024 + threadIdx.x * 16);
            for (int j = 0; j < 16; ++j)
                acc += __half2float(sa[j][threadIdx.x]) * (float)sb[threadIdx.x * 16 + j];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                *reinterpret_cast<uint4 *>(&sa[i / 8][i % 8 * 8]) = sa_next[slot];
            }
            *reinterpret_cast<uint4 *>(sb + threadIdx.x * 16) = sb_next;
            __syncthreads();
        }
        for (int j = 0; j < 16; ++j)
            acc += __half2float(sa[j][threadIdx.x]) * (float)sb[threadIdx.x * 16 + j];
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
        // pipelinify: ldg-single, 1 stage, source 96ca56b7
        int k = 0;
        if (k < tiles) {
            s[t] = a[(i * tiles + k) * 64 + t];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++k; k < tiles; ++k) {
                float s_next = a[(i * tiles + k) * 64 + t];
                for (int j = 0; j < 64; ++j) sum += s[(t + j) % 64] * r[j];
                __syncthreads();
                s[t] = s_next;
                __syncthreads();
            }
            for (int j = 0; j < 64; ++j) sum += s[(t + j) % 64] * r[j];
            __syncthreads();
        }
    }
    out[t] = sum;
}
