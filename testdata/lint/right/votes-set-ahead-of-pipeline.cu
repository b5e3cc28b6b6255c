#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

// Half of the warps bring the pages, the others count. make_pipeline ends with a barrier of the
// block: the votes that another thread clears are clear when the first one is cast.
__global__ void majority(const int *__restrict__ pages, int *__restrict__ out, int n)
{
    constexpr int page = 128;
    __shared__ int words[2][page];
    __shared__ int votes[page];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    const bool brings = threadIdx.x >= page;
    if (!brings)
        votes[threadIdx.x] = 0;
    auto pipe = cuda::make_pipeline(block, &state,
                                    brings ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    if (brings) {
        const int at = threadIdx.x - page;
        for (int t = 0; t < n; ++t) {
            pipe.producer_acquire();
            cuda::memcpy_async(&words[t % 2][at], pages + t * page + at, sizeof(int), pipe);
            pipe.producer_commit();
        }
        return;
    }
    int most = 0;
    for (int t = 0; t < n; ++t) {
        pipe.consumer_wait();
        int sum = 0;
        for (int i = 0; i < page; ++i)
            sum += words[t % 2][(i + threadIdx.x) % page] > 0;
        votes[page - 1 - threadIdx.x] = sum;
        pipe.consumer_release();
        asm volatile("bar.sync 1, 128;" ::: "memory");
        most += votes[threadIdx.x];
        asm volatile("bar.sync 1, 128;" ::: "memory");
    }
    out[blockIdx.x * page + threadIdx.x] = most;
}
void count(const int *p, int *o, int n) { majority<<<8, 256>>>(p, o, n); }
