#define TILE 16

// The loader notes in `lastNonZero` which tile had anything in it; the compute
// phase skips empty tiles. The barrier orders the note as well as the tile.
__global__ void sparse_aware_mm(const float *__restrict__ A, const float *__restrict__ B,
                                float *__restrict__ C, int n)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    __shared__ int lastNonZero;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;

    if (tx == 0 && ty == 0) lastNonZero = -1;
    __syncthreads();

    float acc = 0.f;
    for (int t = 0; t < n / TILE; ++t) {
        const float a = A[row * n + t * TILE + tx];
        As[ty][tx] = a;
        Bs[ty][tx] = B[(t * TILE + ty) * n + col];
        if (a != 0.0f) lastNonZero = t;
        __syncthreads();
        if (lastNonZero == t)
            for (int k = 0; k < TILE; ++k)
                acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = acc;
}
