#define TILE 16

// Double buffered by hand: the next tile is fetched into buf ^ 1 during compute.
__global__ void mm_double_buffer(const float *__restrict__ A, const float *__restrict__ B,
                                 float *__restrict__ C, int n)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0.f;
    int buf = 0;

    As[0][ty][tx] = A[row * n + tx];
    Bs[0][ty][tx] = B[ty * n + col];
    __syncthreads();

    for (int k0 = TILE; k0 <= n; k0 += TILE) {
        if (k0 < n) {
            As[buf ^ 1][ty][tx] = A[row * n + k0 + tx];
            Bs[buf ^ 1][ty][tx] = B[(k0 + ty) * n + col];
        }
        for (int k = 0; k < TILE; ++k)
            acc += As[buf][ty][k] * Bs[buf][k][tx];
        buf ^= 1;
        __syncthreads();
    }
    C[row * n + col] = acc;
}
