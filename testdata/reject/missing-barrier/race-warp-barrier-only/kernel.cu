// __syncwarp orders 32 threads; the tile is filled by 256 of them.
__global__ void __launch_bounds__(256)
row_products(const float *__restrict__ A, const float *__restrict__ B,
             float *__restrict__ C, int n)
{
    __shared__ float sA[16][17];
    __shared__ float sB[16][17];
    const int r = threadIdx.x / 16;
    const int c = threadIdx.x % 16;
    float acc = 0.f;
    for (int k0 = 0; k0 != n; k0 += 16) {
        sA[r][c] = A[(blockIdx.y * 16 + r) * n + k0 + c];
        sB[r][c] = B[(k0 + r) * n + blockIdx.x * 16 + c];
        __syncwarp();
        for (int k = 0; k < 16; ++k)
            acc = fmaf(sA[r][k], sB[k][c], acc);
        __syncwarp();
    }
    C[(blockIdx.y * 16 + r) * n + blockIdx.x * 16 + c] = acc;
}
