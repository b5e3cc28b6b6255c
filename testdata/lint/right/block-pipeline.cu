#include <cooperative_groups.h>
#include <cuda/pipeline>
// cuda::pipeline of the block with its shared state; the whole group copies.
namespace cg = cooperative_groups;

__global__ void stream_rows(const int *in, int *out, int batches)
{
    constexpr int stages = 3;
    __shared__ int tile[stages][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int compute = 0, fetch = 0; compute < batches; ++compute) {
        for (; fetch < batches && fetch < compute + stages; ++fetch) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[fetch % stages], in + fetch * 128, sizeof(int) * 128, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += tile[compute % stages][127 - block.thread_rank()];
        pipe.consumer_release();
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

int main()
{
    int *in, *out;
    int batches = 12;
    cudaMalloc(&in, batches * 128 * sizeof(int));
    cudaMalloc(&out, 4 * 128 * sizeof(int));
    stream_rows<<<4, 128>>>(in, out, batches);
}
