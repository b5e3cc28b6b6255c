// Cells under a guard are read four at a time by references to vectors: the last vector of a ragged tile has what the tile before left.
#include <cuda_runtime.h>
#define SPAN 128

// pipelinify: launch energy_of_quads
//   sizes    n=128,129,131,257,258,386
//   target   n=4096
//   grid     1
//   block    128
//   wave:    in  [n] random
//   out:     out [128]
//   n:       n
__global__ void __launch_bounds__(SPAN)
energy_of_quads(const float *__restrict__ wave, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float part[SPAN];
    float energy = 0.0f;
    for (int at = 0; at < n; at += SPAN) {
        if (at + threadIdx.x < n)
            part[threadIdx.x] = wave[at + threadIdx.x];
        __syncthreads();
        const int valid = min(SPAN, n - at);
        for (int i = 0; i < valid; i += 4) {
            const float4 q = reinterpret_cast<const float4 &>(part[i]);
            energy += at ? q.x * q.w + q.y * q.z * (i ^ threadIdx.x) : q.x;
        }
        __syncthreads();
    }
    out[threadIdx.x] = energy;
}

// pipelinify: launch slopes
//   sizes    n=128,129,131,257,258,386
//   target   n=4096
//   grid     1
//   block    128
//   wave:    in  [n] random
//   out:     out [128]
//   n:       n
__global__ void __launch_bounds__(SPAN)
slopes(const float *__restrict__ wave, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float part[SPAN];
    float slope = 0.0f;
    for (int at = 0; at < n; at += SPAN) {
        if (at + threadIdx.x < n)
            part[threadIdx.x] = wave[at + threadIdx.x];
        __syncthreads();
        const int valid = min(SPAN, n - at);
        for (int i = 0; i < valid; i += 2) {
            const float2 &pair = (const float2 &)part[i];
            slope += at ? (pair.y - pair.x) * (i ^ threadIdx.x) : pair.x;
        }
        __syncthreads();
    }
    out[threadIdx.x] = slope;
}

// All of a vector is of this tile, and so is what is written by such a reference.
// pipelinify: launch whole_quads
//   sizes    n=128,132,256,260,388
//   target   n=4096
//   grid     1
//   block    32
//   wave:    in  [n] random
//   out:     out [32]
//   n:       n
__global__ void __launch_bounds__(32)
whole_quads(const float *__restrict__ wave, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float part[SPAN];
    const int c = threadIdx.x * 4;
    float energy = 0.0f;
    for (int at = 0; at < n; at += SPAN) {
        if (at + c + 3 < n)
            reinterpret_cast<float4 &>(part[c]) = reinterpret_cast<const float4 &>(wave[at + c]);
        __syncthreads();
        const int quads = min(SPAN, n - at) / 4;
        for (int i = 0; i < quads; ++i) {
            const float4 q = reinterpret_cast<const float4 &>(part[4 * i]);
            energy += q.x * q.w + q.y * q.z * (i ^ threadIdx.x);
        }
        __syncthreads();
    }
    out[threadIdx.x] = energy;
}
