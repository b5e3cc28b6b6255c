// The pipeline of a block whose producer runs ahead in a loop of its own.
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void ahead(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int depth = 3;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, depth> state;
    __shared__ float tile[depth][64];
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    float sum = 0.0f;
    int sent = 0;
    for (int k = 0; k < n; ++k) {
        for (; sent < n && sent < k + depth; ++sent) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[sent % depth][threadIdx.x], &x[sent * 64 + threadIdx.x],
                               sizeof(float), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        for (int i = 0; i < 64; ++i)
            sum += tile[k % depth][i] * (float)(i % (threadIdx.x + 1));
        pipe.consumer_release();
    }
    y[threadIdx.x] = sum;
}

void run(const float *x, float *y, int n) { ahead<<<1, 64>>>(x, y, n); }
