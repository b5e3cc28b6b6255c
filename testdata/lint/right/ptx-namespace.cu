#include <cuda/barrier>
#include <cuda/ptx>
// cuda::ptx: bulk copies with expected bytes, phases by parity, empty barriers by arrive.
namespace ptx = cuda::ptx;
template <int S, int N> __global__ void __launch_bounds__(64) ptx_ring(const float *in, float *out, int tiles)
{
    __shared__ alignas(128) float tile[S][N];
    __shared__ uint64_t full[S], empty[S];
    if (threadIdx.x == 0) {
        for (int i = 0; i < S; ++i) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], 32);
        }
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    if (threadIdx.x / 32 == 1) {
        if (threadIdx.x == 32)
            for (int k = 0; k < tiles; ++k) {
                while (!ptx::mbarrier_try_wait_parity(&empty[k % S], (k / S + 1) & 1)) {}
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[k % S], in + k * N, N * sizeof(float), &full[k % S]);
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[k % S], N * sizeof(float));
            }
    } else {
        float acc = 0;
        for (int k = 0; k < tiles; ++k) {
            while (!ptx::mbarrier_try_wait_parity(&full[k % S], k / S & 1)) {}
            for (int i = threadIdx.x; i < N; i += 32)
                acc += tile[k % S][i];
            ptx::mbarrier_arrive(&empty[k % S]);
        }
        out[threadIdx.x] = acc;
    }
}
void run(const float *i, float *o, int n) { ptx_ring<3, 256><<<1, 64>>>(i, o, n); }
