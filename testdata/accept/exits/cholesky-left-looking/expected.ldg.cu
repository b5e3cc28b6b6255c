// Left-looking update of a Cholesky panel: both tiles come from the matrix that is written after the loop.
#define NB 8
// pipelinify: launch chol_update
//   sizes n=8,24,32 j=0,8,16,24
//   sizes n=52 j=40
//   target n=8192 j=2048
//   requires j < n
//   grid (n - j + 7) / 8
//   block 8, 8
//   A: inout [n * n]
//   n: n
//   j: j
__global__ void chol_update(float *A, int n, int j)
{
    __shared__ float L1_stage[2][NB][NB + 1], L2_stage[2][NB][NB + 1];
    const int r = j + blockIdx.x * NB + threadIdx.y, c = j + threadIdx.x;
    float s = 0.f;
    // pipelinify: ldg, 2 stages, source 873d5929
    int p = 0, stage = 0;
    if (p < j) {
        L1_stage[0][threadIdx.y][threadIdx.x] = (r < n) ? A[r * n + p + threadIdx.x] : 0.f;
        L2_stage[0][threadIdx.y][threadIdx.x] = A[(j + threadIdx.y) * n + p + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (p += NB; p < j; p += NB) {
            float L1_next = (r < n) ? A[r * n + p + threadIdx.x] : 0.f;
            float L2_next = A[(j + threadIdx.y) * n + p + threadIdx.x];
            for (int q = 0; q < NB; ++q) s += L1_stage[stage][threadIdx.y][q] * L2_stage[stage][threadIdx.x][q];
            stage ^= 1;
            L1_stage[stage][threadIdx.y][threadIdx.x] = L1_next;
            L2_stage[stage][threadIdx.y][threadIdx.x] = L2_next;
            __syncthreads();
        }
        for (int q = 0; q < NB; ++q) s += L1_stage[stage][threadIdx.y][q] * L2_stage[stage][threadIdx.x][q];
    }
    if (r < n && c < n) A[r * n + c] -= s;
}
