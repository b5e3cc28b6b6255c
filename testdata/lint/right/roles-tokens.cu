#include <cuda/barrier>
// Two functions, one a role, with arrays of ready and filled barriers.
using barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int LEN = 128;
__device__ void producer(barrier *ready, barrier *filled, float *buffer, const float *in, int n, int lane)
{
    for (int i = 0; i < n; ++i) {
        ready[i % 2].arrive_and_wait();
        for (int j = lane; j < LEN; j += 32)
            buffer[(i % 2) * LEN + j] = in[i * LEN + j];
        barrier::arrival_token token = filled[i % 2].arrive();
        (void)token;
    }
}
__device__ void consumer(barrier *ready, barrier *filled, const float *buffer, float *out, int n, int me)
{
    barrier::arrival_token t0 = ready[0].arrive();
    barrier::arrival_token t1 = ready[1].arrive();
    (void)t0, (void)t1;
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        filled[i % 2].arrive_and_wait();
        sum += buffer[(i % 2) * LEN + me] - buffer[(i % 2) * LEN + (me + 1) % LEN];
        barrier::arrival_token token = ready[i % 2].arrive();
        (void)token;
    }
    out[me] = sum;
}
__global__ void differences(const float *in, float *out, int n)
{
    __shared__ float buffer[2 * LEN];
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier bar[4];
    const int warp = threadIdx.x / 32;
    if (threadIdx.x < 4)
        init(bar + threadIdx.x, blockDim.x);
    __syncthreads();
    if (warp == 4)
        producer(bar, bar + 2, buffer, in, n, threadIdx.x % 32);
    else
        consumer(bar, bar + 2, buffer, out, n, threadIdx.x);
}
void call(const float *i, float *o, int n) { differences<<<1, 160>>>(i, o, n); }
