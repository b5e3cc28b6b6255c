// 9x9 blocks (the element matrices of a quadratic quadrilateral have nine nodes), tiles aligned to 16 bytes.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

enum { NODES = 9 };

// pipelinify: launch mm9
//   sizes    nr=1 nc=1 nk=0,1,2,3,4,5
//   sizes    nr=2 nc=3 nk=7
//   target   nr=200 nc=200 nk=200
//   let      R = 9 * nr
//   let      Cn = 9 * nc
//   let      Kn = 9 * nk
//   grid     nc, nr
//   block    9, 9
//   A:       in  [R * Kn]
//   B:       in  [Kn * Cn]
//   C:       out [R * Cn]
//   nk:      nk
__global__ void mm9(const float *A, const float *B, float *C, int nk)
{
    struct __align__(16) As_padded { float tile[NODES][NODES]; };
    __shared__ As_padded As_stage[2];
    struct __align__(16) Bs_padded { float tile[NODES][NODES]; };
    __shared__ Bs_padded Bs_stage[2];

    const int x = threadIdx.x, y = threadIdx.y;
    const int lda = nk * NODES, ldb = gridDim.x * NODES;
    float sum = 0.0f;

    // pipelinify: cp.async, 2 stages, source b2cb6fcd
    int e_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (e_load < nk) {
            __pipeline_memcpy_async(&As_stage[load_stage].tile[y][x],
                                    &A[(blockIdx.y * NODES + y) * lda + e_load * NODES + x], sizeof(float));
            __pipeline_memcpy_async(&Bs_stage[load_stage].tile[y][x],
                                    &B[(e_load * NODES + y) * ldb + blockIdx.x * NODES + x], sizeof(float));
            ++e_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int e = 0; e < nk; ++e) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int k = 0; k < NODES; ++k)
            sum += As_stage[stage].tile[y][k] * Bs_stage[stage].tile[k][x];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    C[(blockIdx.y * NODES + y) * ldb + blockIdx.x * NODES + x] = sum;
}
