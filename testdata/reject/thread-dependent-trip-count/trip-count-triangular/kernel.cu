#define NB 16

// Lower triangular product. The bound is the thread's own row, not the row
// block's last row.
__global__ void trmm_lower(const double *__restrict__ L,
                           const double *__restrict__ B,
                           double *__restrict__ C, int n)
{
    __shared__ double l[NB][NB];
    __shared__ double b[NB][NB];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * NB + ty;
    int col = blockIdx.x * NB + tx;
    double c = 0.0;

    for (int k = 0; k <= row; k += NB) {
        l[ty][tx] = (k + tx <= row) ? L[row * n + k + tx] : 0.0;
        b[ty][tx] = B[(k + ty) * n + col];
        __syncthreads();
        for (int p = 0; p < NB; p++)
            c += l[ty][p] * b[p][tx];
        __syncthreads();
    }
    C[row * n + col] = c;
}
