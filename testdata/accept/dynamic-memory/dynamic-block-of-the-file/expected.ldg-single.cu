// One block of dynamic shared memory, declared outside of functions, that several kernels use:
// whole, carved in two, and by a function that names it itself.
#include <cuda_runtime.h>

extern __shared__ float pool[];

__device__ float weighted(const float *v, int n)
{
    float sum = 0.0f;
    for (int i = 0; i < n; ++i)
        sum += v[i] * (i + 1);
    return sum;
}

// pipelinify: launch sums
//   sizes  n=0,64,128,192,320
//   grid   2
//   block  64
//   smem   64 * 4
//   x:     in  [n + 64] random
//   y:     out [128]
//   n:     n
__global__ void sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 305dbc31
    int base = 0;
    if (base < n) {
        pool[threadIdx.x] = x[base + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 64; base < n; base += 64) {
            float pool_next = x[base + threadIdx.x];
            sum += weighted(pool, 64) * threadIdx.x;
            __syncthreads();
            pool[threadIdx.x] = pool_next;
            __syncthreads();
        }
        sum += weighted(pool, 64) * threadIdx.x;
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

// What is left in the block when the loop is done has a new use.
//
// pipelinify: launch dots
//   sizes  n=0,64,128,192,320
//   grid   2
//   block  64
//   smem   64 * 4 * 2
//   x:     in  [n + 64] random
//   w:     in  [n + 64] random
//   y:     out [2]
//   n:     n
__global__ void dots(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y,
                     int n)
{
    float *a = pool, *c = pool + 64;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 4b25062e
    int base = 0;
    if (base < n) {
        a[threadIdx.x] = x[base + threadIdx.x];
        c[threadIdx.x] = w[base + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 64; base < n; base += 64) {
            float a_next = x[base + threadIdx.x];
            float c_next = w[base + threadIdx.x];
            for (int i = 0; i < 64; ++i)
                sum += a[i] * c[(i + threadIdx.x) & 63];
            __syncthreads();
            a[threadIdx.x] = a_next;
            c[threadIdx.x] = c_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += a[i] * c[(i + threadIdx.x) & 63];
        __syncthreads();
    }
    pool[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = weighted(pool, 64) + blockIdx.x;
}

// A name of the block in a function that the loop calls is always the first stage's.
__device__ float kept(int i) { return pool[i]; }

// pipelinify: launch asked
//   sizes  n=0,64,128,192
//   grid   1
//   block  64
//   smem   64 * 4
//   x:     in  [n + 64] random
//   y:     out [64]
//   n:     n
__global__ void asked(const float *__restrict__ x, float *__restrict__ y, int n)
{
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source a10273df
    int base = 0;
    if (base < n) {
        pool[threadIdx.x] = x[base + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 64; base < n; base += 64) {
            float pool_next = x[base + threadIdx.x];
            for (int i = 0; i < 64; ++i)
                sum += kept(i ^ threadIdx.x) * i;
            __syncthreads();
            pool[threadIdx.x] = pool_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += kept(i ^ threadIdx.x) * i;
    }
    y[threadIdx.x] = sum;
}

void run(const float *x, const float *w, float *y, int n)
{
    sums<<<2, 64, 64 * sizeof(float)>>>(x, y, n);
    dots<<<2, 64, 2 * 64 * sizeof(float)>>>(x, w, y, n);
    asked<<<1, 64, 64 * sizeof(float)>>>(x, y, n);
}
