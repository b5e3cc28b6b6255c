#define NX 16

__global__ void hoisted_rows(const float *__restrict__ A, const float *__restrict__ B,
                             float *__restrict__ C, int n)
{
    __shared__ float sa[NX][NX];
    __shared__ float sb[NX][NX];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int gy = blockIdx.y * NX + ty, gx = blockIdx.x * NX + tx;
    int row = ty;
    const float *arow = sa[row]; // where row is now, not where it goes
    row = gy;
    float c = 0.f;

    for (int k = 0; k < n; k += NX) {
        sa[ty][tx] = A[gy * n + k + tx];
        sb[ty][tx] = B[(k + ty) * n + gx];
        __syncthreads();
        for (int i = 0; i < NX; ++i)
            c += arow[i] * sb[i][tx];
        __syncthreads();
    }
    C[row * n + gx] = c;
}
