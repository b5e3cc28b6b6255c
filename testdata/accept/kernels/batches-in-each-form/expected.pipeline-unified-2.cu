// The loop that the CUDA programming guide begins its chapter on pipelines with; docs/forms has it in each form.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

__device__ void compute(int *global_out, const int *shared_in)
{
    const int t = threadIdx.x;
    global_out[t] = 3 * shared_in[t] - shared_in[(t + 1) % 256] + (shared_in[(t + 255) % 256] >> 1);
}

// pipelinify: launch batches
//   sizes       count=256 batch_sz=0,1,2,3,5,8
//   sizes       count=768 batch_sz=4
//   target      count=67584 batch_sz=512
//   requires    count > 0
//   grid        count / 256
//   block       256
//   global_out: out [count * batch_sz]
//   global_in:  in  [count * batch_sz]
//   count:      count
//   batch_sz:   batch_sz
__global__ void batches(int *__restrict__ global_out, const int *__restrict__ global_in,
                        size_t count, size_t batch_sz)
{
    __shared__ int shared_stage[2][256];
    // pipelinify: pipeline-unified, 2 stages, source e83aff5f
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
    size_t batch_load = 0;
    int stage = 0;
    int load_stage = 0, begun = 0;
    for (size_t batch = 0; batch < batch_sz; ++batch) {
        // Fetch loop: starts to copy to all stages that are free.
        for (; begun < 2; ++begun) {
            pipe.producer_acquire();
            if (batch_load < batch_sz) {
                size_t global_idx = blockIdx.x * 256 + count * batch_load;
                cuda::memcpy_async(cooperative_groups::this_thread_block(), shared_stage[load_stage],
                                   &global_in[global_idx], sizeof(int) * blockDim.x, pipe);
                ++batch_load;
            }
            pipe.producer_commit();
            load_stage ^= 1;
        }
        // the batch is there
        pipe.consumer_wait();
        size_t global_idx = blockIdx.x * 256 + count * batch;
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

void run(int *out, const int *in, size_t count, size_t batch_sz)
{
    batches<<<count / 256, 256>>>(out, in, count, batch_sz);
}
