// What a gather's lane may load is said by two masks: a lane loads where both have a bit, and
// `&&` of the two would ask whether they share one.
#include <cuda_runtime.h>

struct Mask {
    int bits;
    __device__ operator bool() const { return bits != 0; }
};

__device__ inline bool operator&&(Mask a, Mask b) { return (a.bits & b.bits) != 0; }

enum Side { NEITHER, LEFT, RIGHT };

__device__ inline bool operator&&(Side a, Side b) { return a == b; }

// pipelinify: launch gather_by_masks
//   sizes    n=0,1,63,64,100,200
//   grid     2
//   block    64
//   a:       in  [n + 256]
//   out:     out [128]
//   n: n
__global__ void gather_by_masks(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float part[64];
    const int t = threadIdx.x;
    const Mask rows = {1 + (t & 2)}, columns = {4 + (t & 1)};
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        float v = 0.f;
        if (rows)
            if (columns)
                v = a[k + t];
        part[t] = v;
        __syncthreads();
        sum += part[(t + 1) % 64] * (float)(k + 1);
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// pipelinify: launch gather_by_sides
//   sizes    n=0,1,64,200
//   grid     2
//   block    64
//   a:       in  [n + 256]
//   out:     out [128]
//   n: n
__global__ void gather_by_sides(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float part[64];
    const int t = threadIdx.x;
    const Side here = LEFT, there = t & 1 ? RIGHT : LEFT;
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        float v = 0.f;
        if (here)
            if (there)
                v = a[k + t];
        part[t] = v;
        __syncthreads();
        sum += part[(t + 1) % 64] * (float)(k + 1);
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}
