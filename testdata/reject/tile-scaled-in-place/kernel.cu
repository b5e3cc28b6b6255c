#define TILE 32

// The tile is normalised where it lies, behind a barrier of its own.
__global__ void normalized_gram(const float *__restrict__ X, const float *__restrict__ inv,
                                float *__restrict__ G, int n, int d)
{
    __shared__ float tile[TILE][TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float g = 0.f;
    for (int k = 0; k < d; k += TILE) {
        tile[ty][tx] = X[(blockIdx.x * TILE + ty) * d + k + tx];
        __syncthreads();
        tile[ty][tx] *= inv[k + tx];
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            g += tile[ty][j] * tile[tx][j];
        __syncthreads();
    }
    G[(blockIdx.x * TILE + ty) * n + tx] = g;
}
