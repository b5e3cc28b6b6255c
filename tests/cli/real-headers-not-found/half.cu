#include <tensors/extension.h>

namespace cg = cooperative_groups;

__global__ void sums(const __half *__restrict__ a, float *__restrict__ sum, std::int64_t n)
{
    __shared__ float s[64];
    cg::thread_block block = cg::this_thread_block();
    float acc = 0.f;
    for (std::int64_t i = 0; i < n; i += 64) {
        s[threadIdx.x] = __half2float(a[i + threadIdx.x]);
        block.sync();
        for (int j = 0; j < 64; ++j)
            acc += s[j];
        block.sync();
    }
    sum[threadIdx.x] = acc;
}
