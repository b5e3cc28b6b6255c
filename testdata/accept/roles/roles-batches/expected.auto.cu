// A batch of sums: the tile is loaded by threads of their own.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

// pipelinify: launch batches
//   sizes       count=64 batch_sz=0,1,2,3,5,8
//   sizes       count=192 batch_sz=4
//   target      count=67584 batch_sz=512
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

__global__ __launch_bounds__(128) void batches(int *__restrict__ global_out, const int *__restrict__ global_in, int count, int batch_sz)
{
    __shared__ int shared_stage[2][64];
    // pipelinify: pipeline-partitioned, 2 stages, source 47f55e76
    // The kernel is trapped where its launch has no second layer of threads.
    if (blockDim.z != 2 || blockDim.x * blockDim.y % 32)
        __trap();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state, blockDim.x * blockDim.y);
    int batch = 0;
    // Threads of the second layer load for those of their x and y, and do nothing else.
    if (threadIdx.z == 1) {
        int load_stage = 0;
        while (batch < batch_sz) {
            pipe.producer_acquire();
            {
                size_t global_idx = blockIdx.x * 64 + size_t(count) * batch;
                cuda::memcpy_async(&shared_stage[load_stage][threadIdx.x], &global_in[global_idx + threadIdx.x],
                                   cuda::aligned_size_t<sizeof(int)>(sizeof(int)), pipe);
            }
            pipe.producer_commit();
            load_stage ^= 1;
            ++batch;
        }
        return;
    }

    int stage = 0;
    // Main loop: the others compute.
    for (; batch < batch_sz; ++batch) {
        // the batch is there
        pipe.consumer_wait();
        size_t global_idx = blockIdx.x * 64 + size_t(count) * batch;
        compute(global_out + global_idx, shared_stage[stage]);
        asm volatile("barrier.sync 1, %0;" : : "r"(blockDim.x * blockDim.y) : "memory");
        pipe.consumer_release();
        stage ^= 1;
    }
}

void run(int *out, const int *in, int count, int batch_sz)
{
    batches<<<count / 64, dim3(64, 1, 2)>>>(out, in, count, batch_sz);
}
