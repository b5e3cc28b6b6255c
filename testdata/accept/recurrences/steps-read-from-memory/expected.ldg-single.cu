// Where the next tile lies is read from memory behind this one: rows of any length, one behind
// the other, and rows that are linked.
#include <cuda_runtime.h>

#define T 64

// pipelinify: launch ragged
//   sizes    rows=0,1,2,5,9
//   target   rows=4096
//   grid     2
//   block    64
//   a:       in  [rows * 70 + 64]
//   length:  in  [rows + 1] below(70)
//   out:     out [2 * 64]
//   rows:    rows
__global__ void ragged(const float *__restrict__ a, const int *__restrict__ length,
                       float *__restrict__ out, int rows)
{
    __shared__ float s[T];
    float sum = 0.f;
    int at = 0;
    // pipelinify: ldg-single, 1 stage, source 8e0d5166
    int row = 0, row_tile = row, at_tile = at;
    if (row < rows) {
        s[threadIdx.x] = a[at + threadIdx.x];
        at += length[row];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (row++; row < rows; row++) {
            float s_next = a[at + threadIdx.x];
            for (int j = 0; j < T; ++j)
                sum = 0.75f * sum + s[(j + threadIdx.x) % T] * (at_tile % 5);
            at_tile += length[row_tile];
            row_tile++;
            __syncthreads();
            s[threadIdx.x] = s_next;
            at += length[row];
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum = 0.75f * sum + s[(j + threadIdx.x) % T] * (at_tile % 5);
    }
    out[blockIdx.x * T + threadIdx.x] = sum + at;
}

// pipelinify: launch linked
//   sizes    steps=0,1,2,6 m=1,7
//   target   steps=4096 m=4096
//   grid     2
//   block    64
//   a:       in  [m * 64]
//   next:    in  [m] below(m)
//   out:     out [2 * 64]
//   steps:   steps
__global__ void linked(const float *__restrict__ a, const int *__restrict__ next,
                       float *__restrict__ out, int steps)
{
    __shared__ float s[T];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 8e952442
    int i = 0, node = 0, i_tile = i, node_tile = node;
    if (i < steps) {
        s[threadIdx.x] = a[node * T + threadIdx.x];
        ++i, node = next[node];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (i < steps) {
            float s_next = a[node * T + threadIdx.x];
            for (int j = 0; j < T; ++j)
                sum = 0.5f * sum + s[j ^ (threadIdx.x & 3)];
            ++i_tile, node_tile = next[node_tile];
            __syncthreads();
            s[threadIdx.x] = s_next;
            ++i, node = next[node];
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum = 0.5f * sum + s[j ^ (threadIdx.x & 3)];
    }
    out[blockIdx.x * T + threadIdx.x] = sum;
}

// The links are made by the block itself, ahead of the loop.
// pipelinify: launch made_links
//   sizes    m=1,2,5,40
//   target   m=4096
//   grid     1
//   block    64
//   a:       in  [m * 64]
//   next:    inout [64] random
//   out:     out [64]
//   m:       m
__global__ void made_links(const float *__restrict__ a, int *next, float *__restrict__ out, int m)
{
    __shared__ float s[T];
    float sum = 0.f;
    next[threadIdx.x] = threadIdx.x > 0 && threadIdx.x < m ? threadIdx.x - 1 : -1;
    __syncthreads();
    int node = m - 1;
    // pipelinify: ldg-single, 1 stage, source 221c822f
    int node_tile = node;
    if (node >= 0) {
        s[threadIdx.x] = a[node * T + threadIdx.x];
        node = next[node];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (node >= 0) {
            float s_next = a[node * T + threadIdx.x];
            for (int j = 0; j < T; ++j)
                sum = 0.5f * sum + s[j ^ (threadIdx.x & 3)] * (node_tile + 1);
            node_tile = next[node_tile];
            __syncthreads();
            s[threadIdx.x] = s_next;
            node = next[node];
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum = 0.5f * sum + s[j ^ (threadIdx.x & 3)] * (node_tile + 1);
    }
    out[threadIdx.x] = sum;
}

// The flag that the condition asks is set behind the loads, from memory.
// pipelinify: launch drain
//   sizes    n=0,1,2,5
//   target   n=4096
//   grid     1
//   block    64
//   queue:   in  [n * 64 + 1]
//   length:  in  [1] below(n + 1)
//   out:     out [64]
__global__ void drain(const float *__restrict__ queue, const int *__restrict__ length,
                      float *__restrict__ out)
{
    __shared__ float batch[64];
    float sum = 0.0f;
    int k = 0;
    bool more = length[0] > 0;
    // pipelinify: ldg-single, 1 stage, source d909c0cf
    if (more) {
        batch[threadIdx.x] = queue[k * 64 + threadIdx.x];
        ++k;
        more = k < length[0];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (more) {
            float batch_next = queue[k * 64 + threadIdx.x];
            for (int j = 0; j < 64; ++j)
                sum += batch[j] * (j ^ threadIdx.x);
            __syncthreads();
            batch[threadIdx.x] = batch_next;
            ++k;
            more = k < length[0];
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += batch[j] * (j ^ threadIdx.x);
    }
    out[threadIdx.x] = sum;
}
