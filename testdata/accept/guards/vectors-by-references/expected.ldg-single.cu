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
    // pipelinify: ldg-single, 1 stage, source d8d2aa87
    int at = 0, at_tile = at;
    if (at < n) {
        auto compute_tile = [&]() {
            const int valid = min(SPAN, n - at_tile);
            for (int i = 0; i < valid; i += 4) {
                const float4 q = reinterpret_cast<const float4 &>(part[i]);
                energy += at_tile ? q.x * q.w + q.y * q.z * (i ^ threadIdx.x) : q.x;
            }
        };
        if (at + threadIdx.x < n)
            part[threadIdx.x] = wave[at + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += SPAN; at < n; at += SPAN) {
            float part_next;
            if (at + threadIdx.x < n)
                part_next = wave[at + threadIdx.x];
            compute_tile();
            at_tile += SPAN;
            __syncthreads();
            if (at + threadIdx.x < n)
                part[threadIdx.x] = part_next;
            __syncthreads();
        }
        compute_tile();
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
    // pipelinify: ldg-single, 1 stage, source 22d1afc0
    int at = 0, at_tile = at;
    if (at < n) {
        auto compute_tile = [&]() {
            const int valid = min(SPAN, n - at_tile);
            for (int i = 0; i < valid; i += 2) {
                const float2 &pair = (const float2 &)part[i];
                slope += at_tile ? (pair.y - pair.x) * (i ^ threadIdx.x) : pair.x;
            }
        };
        if (at + threadIdx.x < n)
            part[threadIdx.x] = wave[at + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += SPAN; at < n; at += SPAN) {
            float part_next;
            if (at + threadIdx.x < n)
                part_next = wave[at + threadIdx.x];
            compute_tile();
            at_tile += SPAN;
            __syncthreads();
            if (at + threadIdx.x < n)
                part[threadIdx.x] = part_next;
            __syncthreads();
        }
        compute_tile();
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
    // pipelinify: ldg-single, 1 stage, source 3bcfd8e4
    int at = 0, at_tile = at;
    if (at < n) {
        auto compute_tile = [&]() {
            const int quads = min(SPAN, n - at_tile) / 4;
            for (int i = 0; i < quads; ++i) {
                const float4 q = reinterpret_cast<const float4 &>(part[4 * i]);
                energy += q.x * q.w + q.y * q.z * (i ^ threadIdx.x);
            }
        };
        if (at + c + 3 < n)
            reinterpret_cast<float4 &>(part[c]) = reinterpret_cast<const float4 &>(wave[at + c]);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += SPAN; at < n; at += SPAN) {
            float4 part_next;
            if (at + c + 3 < n)
                part_next = reinterpret_cast<const float4 &>(wave[at + c]);
            compute_tile();
            at_tile += SPAN;
            __syncthreads();
            if (at + c + 3 < n)
                reinterpret_cast<float4 &>(part[c]) = part_next;
            __syncthreads();
        }
        compute_tile();
    }
    out[threadIdx.x] = energy;
}
