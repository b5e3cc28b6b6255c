// The loop that the CUDA programming guide begins its chapter on pipelines with; docs/forms has it in each form.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>

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
    constexpr int stages = 3;
    __shared__ int shared_stage[stages][256];
    // pipelinify: barrier, 3 stages, source e83aff5f
    // One for each stage: its copies have landed, and all threads are there.
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> landed[stages];
    #pragma nv_diagnostic pop
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        for (int stage = 0; stage < stages; ++stage)
            init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
    __syncthreads();
    size_t batch_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (batch_load < batch_sz) {
            size_t global_idx = blockIdx.x * 256 + count * batch_load;
            __pipeline_memcpy_async(&shared_stage[load_stage][threadIdx.x], &global_in[global_idx + threadIdx.x],
                                    sizeof(int));
            __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
            ++batch_load;
        }
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (size_t batch = 0; batch < batch_sz; ++batch) {
        // the batch is there
        landed[stage].arrive_and_wait();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        size_t global_idx = blockIdx.x * 256 + count * batch;
        compute(global_out + global_idx, shared_stage[stage]);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
}

void run(int *out, const int *in, size_t count, size_t batch_sz)
{
    batches<<<count / 256, 256>>>(out, in, count, batch_sz);
}
