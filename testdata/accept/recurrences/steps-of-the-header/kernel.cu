// Steps of the header that hang on what the body sets: they are made as the last statement of the
// body, which is what they are.
#include <cuda_runtime.h>

#define WIN 64

// Multi-resolution gather: the distance between windows doubles each time.
// pipelinify: launch pyramid_energy
//   sizes    n=0,63,64,200,1000
//   target   n=65536
//   grid     1
//   block    64
//   sig:     in  [n + 1]
//   energy:  out [64]
//   n:       n
__global__ void pyramid_energy(const float *__restrict__ sig, float *__restrict__ energy, int n)
{
    __shared__ float w[WIN];
    const int t = threadIdx.x;
    float e = 0.0f;
    int step = WIN;

    for (int at = 0; at + WIN <= n; at += step) {
        w[t] = sig[at + t];
        __syncthreads();
        e += w[t] * w[(t + 1) & (WIN - 1)];
        __syncthreads();
        step *= 2;
    }
    energy[blockIdx.x * WIN + t] = e;
}

// A shared step that is set anew behind the loop, which a jump leads back to.
// pipelinify: launch coarser_and_coarser
//   sizes    n=0,1,64,65,300 levels=1,3
//   target   n=65536 levels=4
//   grid     1
//   block    64
//   in:      in  [n + 1]
//   energy:  out [levels * 64]
//   n:       n
//   levels:  levels
__global__ void coarser_and_coarser(const float *__restrict__ in, float *__restrict__ energy,
                                    int n, int levels)
{
    __shared__ float part[WIN];
    __shared__ int step;
    int level = 0;
    float sum = 0.0f;
    if (threadIdx.x == 0)
        step = WIN;
    __syncthreads();
next_level:
    sum = 0.0f;
    for (int i = 0; i < n; i += step) {
        part[threadIdx.x] = i + threadIdx.x < n ? in[i + threadIdx.x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < WIN; ++k)
            sum += part[k] * part[k ^ threadIdx.x];
        __syncthreads();
    }
    energy[level * WIN + threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        step = WIN << (level + 1);
    if (++level < levels)
        goto next_level;
}

// What the loop counts with is a variable of the device, and no constant.
__device__ int count = 64;

// pipelinify: launch sums
//   sizes    n=0,64,128,320
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n + 1]
//   y:       out [64]
//   n:       n
__global__ void sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int k = 0; k < n; k += count) {
        tile[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The header steps, and so does a branch of the body.
// pipelinify: launch twice
//   sizes    n=0,1,2,9,40
//   target   n=65536
//   grid     1
//   block    64
//   data:    in  [n * 64 + 1]
//   sums:    out [64]
//   n:       n
__global__ void twice(const float *__restrict__ data, float *__restrict__ sums, int n)
{
    __shared__ float span[64];
    float sum = 0.f;
    for (int at = 0; at < n; at = at * 2 + 1) {
        span[threadIdx.x] = data[at * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += span[k] * (at + 1);
        if (at & 1)
            at += 4;
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
