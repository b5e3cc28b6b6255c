#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init

template <int N>
__global__ void block_pipeline_sum(const int *__restrict__ in, int *__restrict__ out,
                                   int batches)
{
    __shared__ int batch[2][N];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int s = 0;

    pipe.producer_acquire();
    cuda::memcpy_async(block, batch[0], in, sizeof(int) * N, pipe);
    pipe.producer_commit();
    for (int b = 1; b < batches; ++b) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, batch[b & 1], in + b * N, sizeof(int) * N, pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        s += batch[(b - 1) & 1][N - 1 - block.thread_rank()];
        block.sync();
        pipe.consumer_release();
    }
    pipe.consumer_wait();
    s += batch[(batches - 1) & 1][N - 1 - block.thread_rank()];
    pipe.consumer_release();
    out[blockIdx.x * N + block.thread_rank()] = s;
}

template __global__ void block_pipeline_sum<128>(const int *, int *, int);
