// Loops that store to a cell twice, as only their numbers tell: the last one stays. Of
// asynchronous copies none is the last one.
#include <cuda_runtime.h>

// A step that some iterations leave out.
// pipelinify: launch by_turns
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   x:       in  [n * 64 + 640] random
//   y:       out [64]
//   n:       n
__global__ void by_turns(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 66b10de8
    int k = 0;
    if (k < n) {
        {
            int p = t;
            for (int i = 0; i < 4; ++i) {
                s[p] = x[k * 64 + i * 16 + t];
                if (i & 1)
                    p += 64;
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[4];
            #pragma unroll
            for (int i = 0; i < 4; ++i) {
                s_next[i] = x[k * 64 + i * 16 + t];
            }
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (float)((i + t) & 7);
            __syncthreads();
            {
                int p = t;
                #pragma unroll
                for (int i = 0; i < 4; ++i) {
                    s[p] = s_next[i];
                    if (i & 1)
                        p += 64;
                }
            }
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i + t) & 7);
    }
    y[t] = sum;
}

// Two loops of one counter, of which the second one stores further below.
// pipelinify: launch again
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   x:       in  [n * 64 + 640] random
//   y:       out [64]
//   n:       n
__global__ void again(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 32bd4183
    int k = 0;
    if (k < n) {
        {
            int i = t;
            for (; i < 200; i += 64)
                s[i] = x[k * 64 + i];
            for (; i < 300; i += 64)
                s[i - 64] = x[k * 64 + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[4];
            float s_next2[5];
            int i = t;
            #pragma unroll
            for (int slot = 0; slot < 4 && i < 200; i += 64, ++slot) {
                s_next[slot] = x[k * 64 + i];
            }
            #pragma unroll
            for (int slot = 0; slot < 5 && i < 300; i += 64, ++slot) {
                s_next2[slot] = x[k * 64 + i];
            }
            {
                for (int i = 0; i < 64; ++i)
                    sum += s[i] * (float)((i + t) & 7);
            }
            __syncthreads();
            {
                int i = t;
                #pragma unroll
                for (int slot = 0; slot < 4 && i < 200; i += 64, ++slot) {
                    s[i] = s_next[slot];
                }
                #pragma unroll
                for (int slot = 0; slot < 5 && i < 300; i += 64, ++slot) {
                    s[i - 64] = s_next2[slot];
                }
            }
            __syncthreads();
        }
        {
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (float)((i + t) & 7);
        }
    }
    y[t] = sum;
}

// A step that a continue passes over.
// pipelinify: launch passed_over
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   x:       in  [n * 64 + 640] random
//   y:       out [64]
//   n:       n
__global__ void passed_over(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 03f1cd67
    int k = 0;
    if (k < n) {
        {
            int p = t;
            for (int i = 0; i < 4; ++i) {
                s[p] = x[k * 64 + i * 16 + t];
                if (i == 2)
                    continue;
                p += 64;
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[4];
            #pragma unroll
            for (int i = 0, slot = 0; slot < 4 && i < 4; ++i, ++slot) {
                s_next[slot] = x[k * 64 + i * 16 + t];
                if (i == 2)
                    continue;
            }
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (float)((i + t) & 7);
            __syncthreads();
            {
                int p = t;
                #pragma unroll
                for (int i = 0, slot = 0; slot < 4 && i < 4; ++i, ++slot) {
                    s[p] = s_next[slot];
                    if (i == 2)
                        continue;
                    p += 64;
                }
            }
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i + t) & 7);
    }
    y[t] = sum;
}

// A variable that moves on and back under another name.
// pipelinify: launch under_two_names
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   x:       in  [n * 64 + 640] random
//   y:       out [64]
//   n:       n
__global__ void under_two_names(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        int p = t;
        int &q = p;
        for (int i = 0; i < 4; ++i) {
            s[p] = x[k * 64 + i * 16 + t];
            q += 64;
            q -= 64;
        }
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i + t) & 7);
        __syncthreads();
    }
    y[t] = sum;
}

// Two iterations of one row.
// pipelinify: launch two_a_row
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   x:       in  [n * 64 + 640] random
//   y:       out [64]
//   n:       n
__global__ void two_a_row(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 6c94a468
    int k = 0;
    if (k < n) {
        for (int i = 0; i < 4; ++i)
            s[64 * (i / 2) + t] = x[k * 64 + i * 16 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[4];
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                s_next[i] = x[k * 64 + i * 16 + t];
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (float)((i + t) & 7);
            __syncthreads();
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                s[64 * (i / 2) + t] = s_next[i];
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i + t) & 7);
    }
    y[t] = sum;
}

// Division rounds towards zero: -1, 0 and 1 come to one row.
// pipelinify: launch around_zero
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   x:       in  [n * 64 + 640] random
//   y:       out [64]
//   n:       n
__global__ void around_zero(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source a32db9d4
    int k = 0;
    if (k < n) {
        for (int i = -2; i < 3; ++i)
            s[64 * (i / 2 + 1) + t] = x[k * 64 + (i + 2) * 16 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[5];
            #pragma unroll
            for (int i = -2; i < 3; ++i)
                s_next[(i - (-2))] = x[k * 64 + (i + 2) * 16 + t];
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (float)((i + t) & 7);
            __syncthreads();
            #pragma unroll
            for (int i = -2; i < 3; ++i)
                s[64 * (i / 2 + 1) + t] = s_next[(i - (-2))];
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i + t) & 7);
    }
    y[t] = sum;
}

// Unsigned numbers lose what is shifted out of them.
// pipelinify: launch bits_that_are_lost
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   x:       in  [n * 64 + 640] random
//   y:       out [64]
//   n:       n
__global__ void bits_that_are_lost(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 41649a23
    int k = 0;
    if (k < n) {
        for (unsigned i = 0; i < 4; ++i)
            s[((i << 31) >> 25) + t] = x[k * 64 + i * 16 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[4];
            #pragma unroll
            for (unsigned i = 0; i < 4; ++i)
                s_next[i] = x[k * 64 + i * 16 + t];
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (float)((i + t) & 7);
            __syncthreads();
            #pragma unroll
            for (unsigned i = 0; i < 4; ++i)
                s[((i << 31) >> 25) + t] = s_next[i];
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i + t) & 7);
    }
    y[t] = sum;
}

// More numbers than the mask leaves apart.
// pipelinify: launch masked
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   x:       in  [n * 64 + 640] random
//   y:       out [64]
//   n:       n
__global__ void masked(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 7ef2bd61
    int k = 0;
    if (k < n) {
        for (int i = t; i < 512; i += 64)
            s[i & 255] = x[k * 64 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (t < 64 ? t : 63) + slot * 64;
                s_next[slot] = x[k * 64 + i];
            }
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (float)((i + t) & 7);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (t < 64 ? t : 63) + slot * 64;
                s[i & 255] = s_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i + t) & 7);
    }
    y[t] = sum;
}

// An exclusive or with a bit of its own takes that away.
// pipelinify: launch not_every_swizzle
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   x:       in  [n * 64 + 640] random
//   y:       out [64]
//   n:       n
__global__ void not_every_swizzle(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 84206501
    int k = 0;
    if (k < n) {
        for (int i = 0; i < 4; ++i)
            s[64 * (i ^ (i & 2)) + t] = x[k * 64 + i * 16 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[4];
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                s_next[i] = x[k * 64 + i * 16 + t];
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (float)((i + t) & 7);
            __syncthreads();
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                s[64 * (i ^ (i & 2)) + t] = s_next[i];
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i + t) & 7);
    }
    y[t] = sum;
}

// Down to zero, by a choice that comes back.
// pipelinify: launch chosen
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   x:       in  [n * 64 + 640] random
//   y:       out [64]
//   n:       n
__global__ void chosen(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        int i = 3;
        do {
            s[64 * (i > 1 ? i : i + 2) + t] = x[k * 64 + i * 16 + t];
        } while (i-- > 0);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i + 128] * (float)((i + t) & 7);
        __syncthreads();
    }
    y[t] = sum;
}

// A name for what another variable was, before that moved on and back.
// pipelinify: launch what_it_was
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   x:       in  [n * 64 + 640] random
//   y:       out [64]
//   n:       n
__global__ void what_it_was(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 568c194e
    int k = 0;
    if (k < n) {
        {
            int b = 0;
            const int c = b;
            b = 64;
            s[c + t] = x[k * 64 + t];
            b -= 64;
            s[b + t] = x[k * 64 + 64 + t];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            int b = 0;
            const int c = b;
            b = 64;
            float s_next = x[k * 64 + t];
            b -= 64;
            float s_next2 = x[k * 64 + 64 + t];
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (float)((i + t) & 7);
            __syncthreads();
            {
                int b = 0;
                b = 64;
                s[c + t] = s_next;
                b -= 64;
                s[b + t] = s_next2;
            }
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i + t) & 7);
    }
    y[t] = sum;
}

// Rows as far apart as the caller says: perhaps not at all.
// pipelinify: launch any_pitch
//   sizes    n=0,1,2,3,5 ld=0,64
//   target   n=4096 ld=64
//   block    64
//   x:       in  [n * 64 + 640] random
//   y:       out [64]
//   n:       n
//   ld:      ld
__global__ void any_pitch(const float *__restrict__ x, float *__restrict__ y, int n, int ld)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 5e07af3a
    int k = 0;
    if (k < n) {
        for (int i = 0; i < 4; ++i)
            s[ld * i + t] = x[k * 64 + i * 16 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[4];
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                s_next[i] = x[k * 64 + i * 16 + t];
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (float)((i + t) & 7);
            __syncthreads();
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                s[ld * i + t] = s_next[i];
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i + t) & 7);
    }
    y[t] = sum;
}

// Rounded from numbers with fractions.
// pipelinify: launch by_halves
//   sizes    n=0,1,2,3,5
//   target   n=4096
//   block    64
//   x:       in  [n * 64 + 640] random
//   y:       out [64]
//   n:       n
__global__ void by_halves(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source cfc14314
    int k = 0;
    if (k < n) {
        for (int i = 0; i < 4; ++i)
            s[64 * (int)(0.5f * i) + t] = x[k * 64 + i * 16 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[4];
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                s_next[i] = x[k * 64 + i * 16 + t];
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (float)((i + t) & 7);
            __syncthreads();
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                s[64 * (int)(0.5f * i) + t] = s_next[i];
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i + t) & 7);
    }
    y[t] = sum;
}
