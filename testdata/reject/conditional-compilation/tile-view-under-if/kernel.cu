// Which row the name stands for is for another build to decide.
__global__ void row_products(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
#ifdef BY_COLUMN
    const float *row = tile[tx];
#else
    const float *row = tile[ty];
#endif
    float acc = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 16) {
        tile[ty][tx] = A[ty * n + k0 + tx];
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            acc += row[k] * x[k];
        __syncthreads();
    }
    y[ty * 16 + tx] = acc;
}
