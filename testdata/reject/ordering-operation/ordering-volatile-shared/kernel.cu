// Old warp-synchronous habit: the partial sums are volatile.
__global__ void colnorm_volatile(const float *__restrict__ X, float *__restrict__ norms,
                                 int rows, int ld)
{
    __shared__ float tile[32][33];
    __shared__ volatile float part[32][32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float norm = 0.0f;

    for (int r = 0; r < rows; r += 32) {
        tile[ty][tx] = X[(size_t)(r + ty) * ld + blockIdx.x * 32 + tx];
        __syncthreads();
        part[ty][tx] = tile[tx][ty] * tile[tx][ty];
        if (tx < 16) part[ty][tx] += part[ty][tx + 16];
        norm += part[ty][tx];
        __syncthreads();
    }
    norms[(blockIdx.x * 32 + ty) * 32 + tx] = norm;
}
