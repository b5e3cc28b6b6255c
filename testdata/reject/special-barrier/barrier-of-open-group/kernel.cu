// Which group waits is an argument of the template: a warp's tile would do as well.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <class Group>
__device__ float streamed_dot(const Group &group, float *span, const float *__restrict__ x,
                              float y, int n)
{
    float sum = 0.0f;
    for (int at = 0; at < n; at += group.size()) {
        span[group.thread_rank()] = x[at + group.thread_rank()];
        group.sync();
        for (int j = 0; j < group.size(); ++j)
            sum += span[j] * y;
        group.sync();
    }
    return sum;
}

__global__ void outer_sums(const float *__restrict__ x, const float *__restrict__ y,
                           float *__restrict__ out, int n)
{
    __shared__ float span[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = streamed_dot(cg::this_thread_block(), span, x, y[i], n);
}
