#define TS 16

// pipelinify: launch gemm_do_while
//   sizes  n=16,32,48,80,96
//   target n=2048
//   grid   n / 16, n / 16
//   block  16, 16
//   A:     in  [n * n]
//   B:     in  [n * n]
//   C:     out [n * n]
//   n:     n
//   work   flops 2 * n * n * n
__global__ void gemm_do_while(const float *__restrict__ A, const float *__restrict__ B,
                              float *__restrict__ C, int n)
{
    __shared__ float As[TS][TS], Bs[TS][TS];
    const int c = blockIdx.x * TS + threadIdx.x;
    const int r = blockIdx.y * TS + threadIdx.y;
    float v = 0.0f;
    int k = 0;

    // pipelinify: ldg-single, 1 stage, source 227dbd43
    As[threadIdx.y][threadIdx.x] = A[r * n + k + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * n + c];
    k += TS;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (k < n) {
        float As_next = A[r * n + k + threadIdx.x];
        float Bs_next = B[(k + threadIdx.y) * n + c];
        for (int i = 0; i < TS; ++i)
            v += As[threadIdx.y][i] * Bs[i][threadIdx.x];
        __syncthreads();
        As[threadIdx.y][threadIdx.x] = As_next;
        Bs[threadIdx.y][threadIdx.x] = Bs_next;
        k += TS;
        __syncthreads();
    }
    for (int i = 0; i < TS; ++i)
        v += As[threadIdx.y][i] * Bs[i][threadIdx.x];

    C[r * n + c] = v;
}
