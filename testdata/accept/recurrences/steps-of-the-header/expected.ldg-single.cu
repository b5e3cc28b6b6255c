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

    // pipelinify: ldg-single, 1 stage, source e6806fa7
    int at = 0, step_tile = step, at_tile = at;
    if (at + WIN <= n) {
        w[t] = sig[at + t];
        step *= 2;
        at += step;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (at + WIN <= n) {
            float w_next = sig[at + t];
            e += w[t] * w[(t + 1) & (WIN - 1)];
            step_tile *= 2;
            at_tile += step_tile;
            __syncthreads();
            w[t] = w_next;
            step *= 2;
            at += step;
            __syncthreads();
        }
        e += w[t] * w[(t + 1) & (WIN - 1)];
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
    // pipelinify: ldg-single, 1 stage, source 104047c3
    {
        int i = 0;
        if (i < n) {
            __syncthreads();
            part[threadIdx.x] = i + threadIdx.x < n ? in[i + threadIdx.x] : 0.0f;
            i += step;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            while (i < n) {
                float part_next = i + threadIdx.x < n ? in[i + threadIdx.x] : 0.0f;
                for (int k = 0; k < WIN; ++k)
                    sum += part[k] * part[k ^ threadIdx.x];
                __syncthreads();
                part[threadIdx.x] = part_next;
                i += step;
                __syncthreads();
            }
            for (int k = 0; k < WIN; ++k)
                sum += part[k] * part[k ^ threadIdx.x];
            __syncthreads();
        }
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
    // pipelinify: ldg-single, 1 stage, source 9a362b97
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = x[k + threadIdx.x];
        k += count;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (k < n) {
            float tile_next = x[k + threadIdx.x];
            sum += tile[63 - threadIdx.x];
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            k += count;
            __syncthreads();
        }
        sum += tile[63 - threadIdx.x];
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
    // pipelinify: ldg-single, 1 stage, source 6e37a8bd
    int at = 0, at_tile = at;
    if (at < n) {
        auto compute_tile = [&]() {
            auto &at = at_tile;
            for (int k = 0; k < 64; ++k)
                sum += span[k] * (at + 1);
            if (at & 1)
                at += 4;
            at = at * 2 + 1;
        };
        span[threadIdx.x] = data[at * 64 + threadIdx.x];
        if (at & 1)
            at += 4;
        at = at * 2 + 1;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (at < n) {
            float span_next = data[at * 64 + threadIdx.x];
            compute_tile();
            __syncthreads();
            span[threadIdx.x] = span_next;
            if (at & 1)
                at += 4;
            at = at * 2 + 1;
            __syncthreads();
        }
        compute_tile();
    }
    sums[threadIdx.x] = sum;
}
