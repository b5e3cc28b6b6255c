// Scratch in a block of dynamic shared memory that may have a cell of a tile: the tile keeps its one
// buffer.
#include <cuda_runtime.h>

// The first cell of the scratch is the last one of the tile.
//
// pipelinify: launch overlaps_last_cell
//   sizes  n=0,1,2,3,5
//   block  64
//   smem   127 * 4
//   x:     in  [n * 64 + 1]
//   out:   out [64]
//   n:     n
__global__ void overlaps_last_cell(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    float *t = sm, *s = sm + 63;
    float acc = 0;
    // pipelinify: ldg-single, 1 stage, source 081d3651
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            float d = 0;
            for (int i = 0; i < 64; i++)
                d += t[i] * (i ^ threadIdx.x);
            __syncthreads();
            s[threadIdx.x] = d;
            __syncthreads();
            for (int i = 0; i < 64; i++)
                acc += s[i];
        };
        t[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float t_next = x[k * 64 + threadIdx.x];
            compute_tile();
            __syncthreads();
            t[threadIdx.x] = t_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

// Compute reads one cell more than the tile has.
//
// pipelinify: launch reads_beyond
//   sizes  n=0,1,2,3,5
//   block  64
//   smem   512
//   x:     in  [n * 64 + 1]
//   out:   out [64]
//   n:     n
__global__ void reads_beyond(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    float *t = sm, *s = sm + 64;
    float acc = 0;
    s[threadIdx.x] = 1;
    __syncthreads();
    // pipelinify: ldg-single, 1 stage, source d2a9a8a3
    int k = 0;
    if (k < n) {
        t[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float t_next = x[k * 64 + threadIdx.x];
            for (int i = 0; i < 65; i++)
                acc += t[i] * (i ^ threadIdx.x);
            __syncthreads();
            s[threadIdx.x] = acc;
            __syncthreads();
            t[threadIdx.x] = t_next;
            __syncthreads();
        }
        for (int i = 0; i < 65; i++)
            acc += t[i] * (i ^ threadIdx.x);
        __syncthreads();
        s[threadIdx.x] = acc;
        __syncthreads();
    }
    out[threadIdx.x] = acc + s[63 - threadIdx.x];
}

// All is set to zero by the block's own name.
//
// pipelinify: launch cleared_by_its_name
//   sizes  n=0,1,2,3,5
//   block  64
//   smem   512
//   x:     in  [n * 64 + 1]
//   out:   out [64]
//   n:     n
__global__ void cleared_by_its_name(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    float *t = sm, *s = sm + 64;
    for (int i = threadIdx.x; i < 128; i += 64)
        sm[i] = 0;
    __syncthreads();
    // pipelinify: ldg-single, 1 stage, source 18fd7dc9
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            float d = 0;
            for (int i = 0; i < 64; i++)
                d += t[i] * (i ^ threadIdx.x);
            s[threadIdx.x] += d;
        };
        t[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float t_next = x[k * 64 + threadIdx.x];
            compute_tile();
            __syncthreads();
            t[threadIdx.x] = t_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[threadIdx.x] = s[threadIdx.x];
}

// Memory says which cell of the scratch is changed.
//
// pipelinify: launch at_any_place
//   sizes  n=0,1,2,3,5
//   block  64
//   smem   512
//   x:     in  [n * 64 + 1]
//   at:    in  [1] const(0)
//   out:   out [64]
//   n:     n
__global__ void at_any_place(const float *__restrict__ x, const int *__restrict__ at, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    float *t = sm, *s = sm + 64;
    s[threadIdx.x] = 0;
    // pipelinify: ldg-single, 1 stage, source 9bd0583b
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            float d = 0;
            for (int i = 0; i < 64; i++)
                d += t[i] * (i ^ threadIdx.x);
            s[at[0] + (int)threadIdx.x] += d;
        };
        t[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float t_next = x[k * 64 + threadIdx.x];
            compute_tile();
            __syncthreads();
            t[threadIdx.x] = t_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[threadIdx.x] = s[threadIdx.x];
}

// The scratch is carved where an offset is another one than it was.
//
// pipelinify: launch after_a_change
//   sizes  n=0,1,2,3,5
//   block  64
//   smem   512
//   x:     in  [n * 64 + 1]
//   out:   out [64]
//   n:     n
//   off:   0
__global__ void after_a_change(const float *__restrict__ x, float *__restrict__ out, int n, int off)
{
    extern __shared__ float sm[];
    float *t = sm + off;
    off += 16;
    float *s = t + 64;
    s[threadIdx.x] = 0;
    // pipelinify: ldg-single, 1 stage, source 18fd7dc9
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            float d = 0;
            for (int i = 0; i < 64; i++)
                d += t[i] * (i ^ threadIdx.x);
            s[threadIdx.x] += d;
        };
        t[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float t_next = x[k * 64 + threadIdx.x];
            compute_tile();
            __syncthreads();
            t[threadIdx.x] = t_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[threadIdx.x] = s[threadIdx.x] + off;
}

// The launch has more threads than there are cells in front of the scratch.
//
// pipelinify: launch one_cell_a_thread
//   sizes  n=0,1,2,3,5
//   block  128
//   smem   1024
//   x:     in  [n * 128 + 1]
//   out:   out [128]
//   n:     n
__global__ void one_cell_a_thread(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    float *t = sm, *s = sm + 64;
    s[threadIdx.x] = 0;
    __syncthreads();
    // pipelinify: ldg-single, 1 stage, source c6ec3254
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            float d = 0;
            for (int i = 0; i < 64; i++)
                d += t[i] * (i ^ threadIdx.x);
            __syncthreads();
            s[threadIdx.x] += d;
        };
        t[threadIdx.x] = x[k * 128 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float t_next = x[k * 128 + threadIdx.x];
            compute_tile();
            __syncthreads();
            t[threadIdx.x] = t_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[threadIdx.x] = s[threadIdx.x];
}

void run(const float *x, const int *at, float *out, int n)
{
    overlaps_last_cell<<<1, 64, 127 * 4>>>(x, out, n);
    reads_beyond<<<1, 64, 512>>>(x, out, n);
    cleared_by_its_name<<<1, 64, 512>>>(x, out, n);
    at_any_place<<<1, 64, 512>>>(x, at, out, n);
    after_a_change<<<1, 64, 512>>>(x, out, n, 0);
    one_cell_a_thread<<<1, 128, 1024>>>(x, out, n);
}
