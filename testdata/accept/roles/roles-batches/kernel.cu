// A batch of sums: the tile is loaded by threads of their own.
#include <cuda_runtime.h>

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

__global__ void batches(int *__restrict__ global_out, const int *__restrict__ global_in, int count, int batch_sz)
{
    __shared__ int shared[64];
    for (int batch = 0; batch < batch_sz; ++batch) {
        size_t global_idx = blockIdx.x * 64 + size_t(count) * batch;
        shared[threadIdx.x] = global_in[global_idx + threadIdx.x];
        __syncthreads(); // the batch is there
        compute(global_out + global_idx, shared);
        __syncthreads();
    }
}

void run(int *out, const int *in, int count, int batch_sz)
{
    batches<<<count / 64, 64>>>(out, in, count, batch_sz);
}
