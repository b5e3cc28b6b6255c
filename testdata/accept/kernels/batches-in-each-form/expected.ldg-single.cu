// The loop that the CUDA programming guide begins its chapter on pipelines with; docs/forms has it in each form.
#include <cuda_runtime.h>

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
    __shared__ int shared[256];
    // pipelinify: ldg-single, 1 stage, source e83aff5f
    size_t batch = 0;
    size_t batch_tile = batch;
    if (batch < batch_sz) {
        auto compute_tile = [&]() {
            size_t global_idx = blockIdx.x * 256 + count * batch_tile;
            compute(global_out + global_idx, shared);
        };
        {
            size_t global_idx = blockIdx.x * 256 + count * batch;
            shared[threadIdx.x] = global_in[global_idx + threadIdx.x];
        }
        __syncthreads(); // the batch is there
        // Main loop: fetch the next tile while computing on this one.
        for (++batch; batch < batch_sz; ++batch) {
            size_t global_idx = blockIdx.x * 256 + count * batch;
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

void run(int *out, const int *in, size_t count, size_t batch_sz)
{
    batches<<<count / 256, 256>>>(out, in, count, batch_sz);
}
