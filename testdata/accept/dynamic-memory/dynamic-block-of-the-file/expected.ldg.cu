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
    // 2 stages of 256 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned pool_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(pool_given));
    if (pool_given != 2 * 256 + 1)
        __trap();
    auto &pool_stage = reinterpret_cast<float (&)[2][64]>(pool);
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 305dbc31
    int base = 0, stage = 0;
    if (base < n) {
        {
            auto &pool = pool_stage[0];
            pool[threadIdx.x] = x[base + threadIdx.x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 64; base < n; base += 64) {
            float pool_next = x[base + threadIdx.x];
            {
                auto &pool = pool_stage[stage];
                sum += weighted(pool, 64) * threadIdx.x;
            }
            stage ^= 1;
            {
                auto &pool = pool_stage[stage];
                pool[threadIdx.x] = pool_next;
            }
            __syncthreads();
        }
        {
            auto &pool = pool_stage[stage];
            sum += weighted(pool, 64) * threadIdx.x;
        }
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
    // 2 stages of 512 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned pool_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(pool_given));
    if (pool_given != 2 * 512 + 1)
        __trap();
    auto &pool_stage = reinterpret_cast<float (&)[2][128]>(pool);
    float sum = 0.0f;
    int stage = 0;
    // pipelinify: ldg, 2 stages, source 4b25062e
    int base = 0;
    if (base < n) {
        auto compute_tile = [&]() {
            auto &pool = pool_stage[stage];
            float *a = pool, *c = pool + 64;
            for (int i = 0; i < 64; ++i)
                sum += a[i] * c[(i + threadIdx.x) & 63];
        };
        {
            auto &pool = pool_stage[0];
            float *a = pool, *c = pool + 64;
            a[threadIdx.x] = x[base + threadIdx.x];
            c[threadIdx.x] = w[base + threadIdx.x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 64; base < n; base += 64) {
            float a_next = x[base + threadIdx.x];
            float c_next = w[base + threadIdx.x];
            compute_tile();
            stage ^= 1;
            {
                auto &pool = pool_stage[stage];
                float *a = pool, *c = pool + 64;
                a[threadIdx.x] = a_next;
                c[threadIdx.x] = c_next;
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    pool_stage[stage][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = weighted(pool_stage[stage], 64) + blockIdx.x;
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
    for (int base = 0; base < n; base += 64) {
        pool[threadIdx.x] = x[base + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += kept(i ^ threadIdx.x) * i;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

void run(const float *x, const float *w, float *y, int n)
{
    sums<<<2, 64, 64 * sizeof(float) + 256 + 1>>>(x, y, n);
    dots<<<2, 64, 2 * 64 * sizeof(float) + 512 + 1>>>(x, w, y, n);
    asked<<<1, 64, 64 * sizeof(float)>>>(x, y, n);
}
