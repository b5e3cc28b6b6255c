// Loops whose barriers order more than their tiles: sums that wander from thread to thread, blocks that all leave, a
// device function that two kernels call again and again, batches that are computed on and written at once.
#include <cuda_runtime.h>

// pipelinify: launch batches
//   sizes       count=64 batch_sz=0,1,2,3,5,8
//   sizes       count=192 batch_sz=4
//   grid        count / 64
//   block       64
//   global_out: out [count * batch_sz]
//   global_in:  in  [count * batch_sz]
//   count:      count
//   batch_sz:   batch_sz
__device__ void compute(int *out, const int *in)
{
    const int t = threadIdx.x;
    out[t] = 3 * in[t] - in[(t + 1) % 64] + (in[(t + 63) % 64] >> 1);
}

__global__ void batches(int *__restrict__ global_out, const int *__restrict__ global_in, int count, int batch_sz)
{
    __shared__ int shared[64];
    // pipelinify: ldg-single, 1 stage, source 47f55e76
    int batch = 0, batch_tile = batch;
    if (batch < batch_sz) {
        auto compute_tile = [&]() {
            size_t global_idx = blockIdx.x * 64 + size_t(count) * batch_tile;
            compute(global_out + global_idx, shared);
        };
        {
            size_t global_idx = blockIdx.x * 64 + size_t(count) * batch;
            shared[threadIdx.x] = global_in[global_idx + threadIdx.x];
        }
        __syncthreads(); // the batch is there
        // Main loop: fetch the next tile while computing on this one.
        for (++batch; batch < batch_sz; ++batch) {
            size_t global_idx = blockIdx.x * 64 + size_t(count) * batch;
            int shared_next = global_in[global_idx + threadIdx.x];
            compute_tile();
            ++batch_tile;
            __syncthreads();
            shared[threadIdx.x] = shared_next;
            __syncthreads(); // the batch is there
        }
        compute_tile();
    }
}

// pipelinify: launch wandering
//   sizes  n=0,1,31,96,97,200,480 rows=2
//   sizes  n=288 rows=5
//   grid   rows + 1
//   block  96
//   in:    in  [rows * n + 1]
//   out:   out [rows * 96 + 96]
//   n:     n
//   rows:  rows
__global__ void wandering(const float *__restrict__ in, float *__restrict__ out, int n, int rows)
{
    __shared__ float part[96], seen[96];
    const int t = threadIdx.x;
    if ((int)blockIdx.x >= rows)
        return; // the whole block
    seen[t] = 0.f;
    int turn = 0;
    // pipelinify: ldg-single, 1 stage, source 4a0e36b3
    int i = 0, turn_tile = turn;
    if (i < n) {
        __syncthreads();
        auto compute_tile = [&]() {
            // another thread's sum than a tile ago
            int mine = (t + 5 * turn_tile) % 96;
            seen[mine] = 0.5f * seen[mine] + part[95 - t];
        };
        part[t] = i + t < n ? in[blockIdx.x * n + i + t] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 96, ++turn; i < n; i += 96, ++turn) {
            float part_next = i + t < n ? in[blockIdx.x * n + i + t] : 0.f;
            compute_tile();
            ++turn_tile;
            __syncthreads();
            part[t] = part_next;
            __syncthreads();
        }
        compute_tile();
    }
    __syncthreads();
    out[blockIdx.x * 96 + t] = seen[(t + 1) % 96];
}

template <int T> __device__ float far_sum(const float *__restrict__ x, const float *__restrict__ w, int n)
{
    __shared__ float xs[T], ws[T];
    float sum = 0;
    int at = 0;
    // pipelinify: ldg-single, 1 stage, source 24e2a964
    if (at < n) {
        xs[threadIdx.x] = at + threadIdx.x < n ? x[at + threadIdx.x] : 0;
        ws[threadIdx.x] = at + threadIdx.x < n ? w[at + threadIdx.x] : 0;
        at += T;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (at < n) {
            float xs_next = at + threadIdx.x < n ? x[at + threadIdx.x] : 0;
            float ws_next = at + threadIdx.x < n ? w[at + threadIdx.x] : 0;
            for (int k = 0; k < T; k += 4)
                sum += xs[(k + threadIdx.x) % T] * ws[k];
            __syncthreads();
            xs[threadIdx.x] = xs_next;
            ws[threadIdx.x] = ws_next;
            at += T;
            __syncthreads();
        }
        for (int k = 0; k < T; k += 4)
            sum += xs[(k + threadIdx.x) % T] * ws[k];
        __syncthreads();
    }
    return sum;
}

// pipelinify: launch both_ways
//   sizes  n=4,32,33,100 m=3
//   sizes  n=64 m=1
//   grid   2
//   block  32
//   x:     in  [n]
//   w:     in  [n]
//   out:   out [2 * m * 32]
//   n:     n
//   m:     m
__global__ void both_ways(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ out, int n, int m)
{
    for (int r = 0; r < m; ++r) {
        float there = far_sum<32>(x, w, n - r), back = far_sum<32>(w, x, r);
        out[(blockIdx.x * m + r) * 32 + threadIdx.x] = there - back;
    }
}

// pipelinify: launch one_way
//   sizes  n=0,5,96
//   grid   1
//   block  32
//   x:     in  [n + 1]
//   out:   out [32]
//   n:     n
__global__ void one_way(const float *__restrict__ x, float *__restrict__ out, int n)
{
    out[threadIdx.x] = far_sum<32>(x, x, n);
}
