// Ragged last tiles: what the guard of a store asks follows from where a cell is read, by the
// cell's own number.
#include <cuda_runtime.h>

#define CHUNK 128

// How long a row of threads is, the caller says: whatever a thread's number comes to, the cell
// has it, and so has the guard.
//
// pipelinify: launch sums_by_rows
//   sizes    n=0,1,127,128,129,300,512,640,700
//   target   n=65536
//   grid     2
//   block    16, 8
//   x:       in  [n + 1]
//   y:       out [256]
//   n:       n
//   row:     16
__global__ void sums_by_rows(const float *__restrict__ x, float *__restrict__ y, int n, unsigned row)
{
    __shared__ float chunk[CHUNK];
    const int t = threadIdx.y * row + threadIdx.x;
    float acc = 0.f;
    // pipelinify: ldg-single, 1 stage, source f3707faa
    int k = 0, k_tile = k;
    if (k < n) {
        auto compute_tile = [&]() {
            const int count = min(CHUNK, n - k_tile);
            for (int i = 0; i < count; ++i)
                acc += chunk[i] * (i ^ t);
        };
        if (t < CHUNK && k + t < n)
            chunk[t] = x[k + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += CHUNK; k < n; k += CHUNK) {
            float chunk_next;
            if (t < CHUNK && k + t < n)
                chunk_next = x[k + t];
            compute_tile();
            k_tile += CHUNK;
            __syncthreads();
            if (t < CHUNK && k + t < n)
                chunk[t] = chunk_next;
            __syncthreads();
        }
        compute_tile();
    }
    y[blockIdx.x * CHUNK + t] = acc;
}

// Every second cell, by a counter that moves between its test and the read.
//
// pipelinify: launch odd_cells
//   sizes    n=0,1,2,127,128,129,130,300,513
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n + 1]
//   y:       out [64]
//   n:       n
__global__ void odd_cells(const float *__restrict__ x, float *__restrict__ y, long n)
{
    __shared__ float chunk[CHUNK];
    float acc = 0.f;
    // pipelinify: ldg-single, 1 stage, source d78a2afa
    long k = 0;
    long k_tile = k;
    if (k < n) {
        auto compute_tile = [&]() {
            int count = CHUNK;
            if (k_tile + CHUNK > n)
                count = n - k_tile;
            for (int i = 0; i < count - 1; ++i) {
                ++i;
                acc += chunk[i] * (i ^ threadIdx.x);
            }
        };
        for (int t = threadIdx.x; t < CHUNK; t += 64) {
            if (k + t >= n)
                continue;
            chunk[t] = x[k + t];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += CHUNK; k < n; k += CHUNK) {
            float chunk_next[(CHUNK + 64 - 1) / 64];
            #pragma unroll
            for (int t = threadIdx.x, slot = 0; slot < (CHUNK + 64 - 1) / 64 && t < CHUNK; t += 64, ++slot) {
                if (k + t >= n)
                    continue;
                chunk_next[slot] = x[k + t];
            }
            compute_tile();
            k_tile += CHUNK;
            __syncthreads();
            #pragma unroll
            for (int t = threadIdx.x, slot = 0; slot < (CHUNK + 64 - 1) / 64 && t < CHUNK; t += 64, ++slot) {
                if (k + t >= n)
                    continue;
                chunk[t] = chunk_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
    }
    y[threadIdx.x] = acc;
}

// Rows of so many numbers as the caller says, one after the other, from the last to the first.
//
// pipelinify: launch rows_backwards
//   sizes    n=0,1,15,16,17,40,64 wide=1,3,8
//   target   n=65536 wide=8
//   grid     1
//   block    32
//   x:       in  [n * wide + 1]
//   y:       out [32]
//   n:       n
//   wide:    wide
__global__ void rows_backwards(const float *__restrict__ x, float *__restrict__ y, int n, int wide)
{
    __shared__ float rows[16 * 8];
    float acc = 0.f;
    // pipelinify: ldg-single, 1 stage, source 0614890d
    int k = 0, k_tile = k;
    if (k < n) {
        auto compute_tile = [&]() {
            const int here = n - k_tile < 16 ? n - k_tile : 16;
            for (int c = 0; c < wide; ++c)
                for (int r = here - 1; r >= 0; --r)
                    acc = acc * 0.5f + rows[r * wide + c] * (c + 1 + threadIdx.x);
        };
        {
            const int here = n - k < 16 ? n - k : 16;
            for (int i = threadIdx.x; i < here * wide; i += 32)
                rows[i] = x[k * wide + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 16; k < n; k += 16) {
            float rows_next[4];
            const int here = n - k < 16 ? n - k : 16;
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * 32;
                if (i < here * wide)
                    rows_next[slot] = x[k * wide + i];
            }
            compute_tile();
            k_tile += 16;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * 32;
                if (i < here * wide)
                    rows[i] = rows_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
    }
    y[threadIdx.x] = acc;
}
