// Loops whose barriers order more than their tiles: sums that wander from thread to thread, blocks that all leave, a
// device function that two kernels call again and again, batches that are computed on and written at once.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

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
    __shared__ int shared_stage[2][64];
    // pipelinify: pipeline-unified, 2 stages, source 47f55e76
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
    int batch_load = 0, stage = 0;
    int load_stage = 0, begun = 0;
    for (int batch = 0; batch < batch_sz; ++batch) {
        // Fetch loop: starts to copy to all stages that are free.
        for (; begun < 2; ++begun) {
            pipe.producer_acquire();
            if (batch_load < batch_sz) {
                size_t global_idx = blockIdx.x * 64 + size_t(count) * batch_load;
                cuda::memcpy_async(cooperative_groups::this_thread_block(), shared_stage[load_stage],
                                   &global_in[global_idx], sizeof(int) * blockDim.x, pipe);
                ++batch_load;
            }
            pipe.producer_commit();
            load_stage ^= 1;
        }
        // the batch is there
        pipe.consumer_wait();
        size_t global_idx = blockIdx.x * 64 + size_t(count) * batch;
        compute(global_out + global_idx, shared_stage[stage]);
        pipe.consumer_release();
        stage ^= 1;
        --begun;
    }
    for (; begun > 0; --begun) {
        pipe.consumer_wait();
        pipe.consumer_release();
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
    __shared__ float part_stage[2][96], seen[96];
    const int t = threadIdx.x;
    if ((int)blockIdx.x >= rows)
        return; // the whole block
    seen[t] = 0.f;
    int turn = 0;
    // pipelinify: pipeline-unified, 2 stages, source 4a0e36b3
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
    int i_load = 0, turn_load = turn, stage = 0;
    int load_stage = 0, begun = 0;
    for (int i = 0; i < n; i += 96, ++turn) {
        // Fetch loop: starts to copy to all stages that are free.
        for (; begun < 2; ++begun) {
            pipe.producer_acquire();
            if (i_load < n) {
                if (i_load + t < n) {
                    cuda::memcpy_async(&part_stage[load_stage][t], &in[blockIdx.x * n + i_load + t],
                                       cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
                } else {
                    part_stage[load_stage][t] = 0.f;
                }
                i_load += 96, ++turn_load;
            }
            pipe.producer_commit();
            load_stage ^= 1;
        }
        pipe.consumer_wait();
        // another thread's sum than a tile ago
        int mine = (t + 5 * turn) % 96;
        seen[mine] = 0.5f * seen[mine] + part_stage[stage][95 - t];
        pipe.consumer_release();
        stage ^= 1;
        --begun;
    }
    for (; begun > 0; --begun) {
        pipe.consumer_wait();
        pipe.consumer_release();
    }
    __syncthreads();
    out[blockIdx.x * 96 + t] = seen[(t + 1) % 96];
}

template <int T> __device__ float far_sum(const float *__restrict__ x, const float *__restrict__ w, int n)
{
    __shared__ float xs_stage[2][T], ws_stage[2][T];
    float sum = 0;
    int at = 0;
    // pipelinify: pipeline-unified, 2 stages, source 24e2a964
    __syncthreads();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
    int at_load = at, stage = 0;
    int load_stage = 0, begun = 0;
    while (at < n) {
        // Fetch loop: starts to copy to all stages that are free.
        for (; begun < 2; ++begun) {
            pipe.producer_acquire();
            if (at_load < n) {
                auto &at = at_load;
                if (at + threadIdx.x < n) {
                    cuda::memcpy_async(&xs_stage[load_stage][threadIdx.x], &x[at + threadIdx.x],
                                       cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
                } else {
                    xs_stage[load_stage][threadIdx.x] = 0;
                }
                if (at + threadIdx.x < n) {
                    cuda::memcpy_async(&ws_stage[load_stage][threadIdx.x], &w[at + threadIdx.x],
                                       cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
                } else {
                    ws_stage[load_stage][threadIdx.x] = 0;
                }
                at += T;
            }
            pipe.producer_commit();
            load_stage ^= 1;
        }
        pipe.consumer_wait();
        for (int k = 0; k < T; k += 4)
            sum += xs_stage[stage][(k + threadIdx.x) % T] * ws_stage[stage][k];
        at += T;
        pipe.consumer_release();
        stage ^= 1;
        --begun;
    }
    for (; begun > 0; --begun) {
        pipe.consumer_wait();
        pipe.consumer_release();
    }
    __syncthreads();
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
