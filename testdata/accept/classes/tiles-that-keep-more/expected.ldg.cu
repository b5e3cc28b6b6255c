// Tiles that load themselves, and keep what another iteration, or none, has put there: a scale, old cells, a place that moves.
#include <cuda_runtime.h>

struct Scaled {
    float data[64];
    float scale;

    __device__ void set(float s) { if (threadIdx.x == 0) scale = s; }
    __device__ void load(const float *g) { data[threadIdx.x] = g[threadIdx.x]; }

    __device__ auto load_fetch(const float *g) {
        float data_next = g[threadIdx.x];
        return data_next;
    }

    __device__ void load_store(float data_next) {
        data[threadIdx.x] = data_next;
    }
    __device__ void load_left(const float *g, int left) { if ((int)threadIdx.x < left) data[threadIdx.x] = g[threadIdx.x]; }
    __device__ void load_at(const float *g, int at) { data[(threadIdx.x + at) % 64] = g[threadIdx.x]; }
};

// pipelinify: launch scaled
//   sizes    n=0,1,2,3,8
//   grid     1
//   block    64
//   a:       in  [n * 64] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64) scaled(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ Scaled s;
    float sum = 0;
    s.set(0.5f);
    for (int i = 0; i < n; ++i) {
        s.load(a + i * 64);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s.data[j] * s.scale * (j ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch ragged
//   sizes    n=64,65,127,130,300
//   grid     1
//   block    64
//   a:       in  [n] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64) ragged(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ Scaled s;
    float sum = 0;
    for (int i = 0; i < n; i += 64) {
        s.load_left(a + i, n - i);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s.data[j] * (j ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch moving
//   sizes    n=0,1,2,3,8
//   grid     1
//   block    64
//   a:       in  [n * 64] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64) moving(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ Scaled s;
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        s.load_at(a + i * 64, i);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s.data[j] * (j ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch faded
//   sizes    n=0,1,2,3,8,9
//   grid     1
//   block    64
//   a:       in  [n * 64] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64) faded(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ Scaled s_stage[2];
    float sum = 0;
    int stage = 0;
    // pipelinify: ldg, 2 stages, source 8bc9264d
    int i = 0;
    if (i < n) {
        s_stage[0].load(a + i * 64);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < n; ++i) {
            auto s_next = s_stage[0].load_fetch(a + i * 64);
            for (int j = 0; j < 64; ++j)
                sum += s_stage[stage].data[j] * (j ^ threadIdx.x);
            stage ^= 1;
            s_stage[stage].load_store(s_next);
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage].data[j] * (j ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum + (n ? s_stage[stage].data[63 - threadIdx.x] : 0.0f);
}
