// The trailing update of a blocked Cholesky factorisation, lower half. One lambda
// brings in both panels; it is made anew for each tile.
__global__ void syrk_lower(const double *__restrict__ a, double *__restrict__ c, int n, int k)
{
    __shared__ double rows[16][17], cols[16][17];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i = blockIdx.y * 16 + ty, j = blockIdx.x * 16 + tx;
    if (blockIdx.x > blockIdx.y)
        return;

    double sum = 0;
    for (int p = 0; p < k; p += 16) {
        auto bring = [&](double (*tile)[17], int first) {
            const bool in = first + ty < n && p + tx < k;
            tile[ty][tx] = in ? a[(first + ty) * k + p + tx] : 0.0;
        };
        bring(rows, blockIdx.y * 16);
        bring(cols, blockIdx.x * 16);
        __syncthreads();
        for (int q = 0; q < 16; ++q)
            sum += rows[ty][q] * cols[tx][q];
        __syncthreads();
    }
    if (i < n && j <= i)
        c[i * n + j] -= sum;
}
