// 9x9 blocks (the element matrices of a quadratic quadrilateral have nine nodes), tiles aligned to 16 bytes.
#include <cuda_runtime.h>

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
    __shared__ __align__(16) float As[NODES][NODES];
    __shared__ __align__(16) float Bs[NODES][NODES];

    const int x = threadIdx.x, y = threadIdx.y;
    const int lda = nk * NODES, ldb = gridDim.x * NODES;
    float sum = 0.0f;

    // pipelinify: ldg-single, 1 stage, source b2cb6fcd
    int e = 0;
    if (e < nk) {
        As[y][x] = A[(blockIdx.y * NODES + y) * lda + e * NODES + x];
        Bs[y][x] = B[(e * NODES + y) * ldb + blockIdx.x * NODES + x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++e; e < nk; ++e) {
            float As_next = A[(blockIdx.y * NODES + y) * lda + e * NODES + x];
            float Bs_next = B[(e * NODES + y) * ldb + blockIdx.x * NODES + x];

            for (int k = 0; k < NODES; ++k)
                sum += As[y][k] * Bs[k][x];
            __syncthreads();
            As[y][x] = As_next;
            Bs[y][x] = Bs_next;
            __syncthreads();
        }
        for (int k = 0; k < NODES; ++k)
            sum += As[y][k] * Bs[k][x];
    }

    C[(blockIdx.y * NODES + y) * ldb + blockIdx.x * NODES + x] = sum;
}
