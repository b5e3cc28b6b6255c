#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
// Fragments of a stage that the wait does not cover.
using namespace nvcuda;

__global__ void __launch_bounds__(64) hgemm(const half *A, const half *B, float *C, int N, int K)
{
    __shared__ __align__(32) half As[2][32][16];
    __shared__ __align__(32) half Bs[2][16][32];
    int tid = threadIdx.x, warp = tid / 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2];
    wmma::fill_fragment(acc[0], 0.0f);
    wmma::fill_fragment(acc[1], 0.0f);
    int steps = K / 16;
    auto stage = [&](int s, int k0) {
        __pipeline_memcpy_async(&As[s][tid / 2][tid % 2 * 8], A + (size_t)(tid / 2) * K + k0 + tid % 2 * 8, 16);
        __pipeline_memcpy_async(&Bs[s][tid / 4][tid % 4 * 8], B + (size_t)(k0 + tid / 4) * N + tid % 4 * 8, 16);
    };
    if (steps > 0)
        stage(0, 0);
    __pipeline_commit();
    for (int k = 0; k < steps; ++k) {
        if (k + 1 < steps)
            stage((k + 1) & 1, (k + 1) * 16);
        __pipeline_commit();
        __pipeline_wait_prior(2);
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
        wmma::load_matrix_sync(a, &As[k & 1][warp * 16][0], 16);
        for (int j = 0; j < 2; ++j) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
            wmma::load_matrix_sync(b, &Bs[k & 1][0][j * 16], 32);
            wmma::mma_sync(acc[j], a, b, acc[j]);
        }
        __syncthreads();
    }
    for (int j = 0; j < 2; ++j)
        wmma::store_matrix_sync(C + warp * 16 * N + j * 16, acc[j], N, wmma::mem_row_major);
}
