// Forward substitution, a panel at a time: what the helper calls is the lambda, not
// std::forward, and it writes the panel that comes next.
#include <utility>

template <class F>
__device__ void for_rows(int n, F &&f)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        std::forward<F>(f)(i);
}

__global__ void substitute(float *x, const float *__restrict__ factor, int panels)
{
    __shared__ float solved[64];
    for (int p = 0; p < panels; ++p) {
        solved[threadIdx.x] = x[p * 64 + threadIdx.x];
        __syncthreads();
        for_rows(64, [&](int i) { x[(p + 1) * 64 + i] -= factor[p * 64 + i] * solved[63 - i]; });
        __syncthreads();
    }
}
