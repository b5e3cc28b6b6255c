// Pages come by the copy engine; a barrier for each of two counts their bytes.
#include <cuda/barrier>
using bar_t = cuda::barrier<cuda::thread_scope_block>;
__global__ void __launch_bounds__(128) digest(const int4 *__restrict__ pages, int *__restrict__ out, int n)
{
    __shared__ alignas(128) int4 page[2][256];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ bar_t here[2];
    if (threadIdx.x == 0) {
        init(&here[0], blockDim.x);
        init(&here[1], blockDim.x);
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    bar_t::arrival_token token[2];
    auto turn = [&](int k) {
        if (threadIdx.x == 0) {
            cuda::device::memcpy_async_tx(page[k & 1], pages + k * 256, cuda::aligned_size_t<16>(4096), here[k & 1]);
            token[k & 1] = cuda::device::barrier_arrive_tx(here[k & 1], 1, 4096);
        } else {
            token[k & 1] = here[k & 1].arrive();
        }
    };
    if (n > 0) turn(0);
    int sum = 0;
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n) turn(k + 1);
        here[k & 1].wait(std::move(token[k & 1]));
        const int4 v = page[k & 1][255 - threadIdx.x], w = page[k & 1][threadIdx.x];
        sum += v.x ^ w.y;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
