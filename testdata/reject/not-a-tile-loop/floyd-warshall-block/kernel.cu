// All pairs shortest paths inside one block of the matrix.
__global__ void fw_diagonal(int *dist, int n, int block)
{
    __shared__ int m[16][16];
    const int i = threadIdx.y, j = threadIdx.x;
    const int at = (block * 16 + i) * n + block * 16 + j;

    m[i][j] = dist[at];
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
        const int through = m[i][k] + m[k][j];
        __syncthreads();
        if (through < m[i][j]) m[i][j] = through;
        __syncthreads();
    }
    dist[at] = m[i][j];
}
