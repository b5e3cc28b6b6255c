// Both stores are spelled alike, but the index moved in between: the guarded
// one keeps the odd rows of an earlier tile.
__global__ void half_kept(const float *__restrict__ A, float *__restrict__ y, int K)
{
    __shared__ float As[32][33];
    const int tx = threadIdx.x;
    float acc = 0.f;
    for (int k0 = 0; k0 < K; k0 += 32) {
        for (int r = 0; r < 32; r += 2) {
            int i = r;
            As[i][tx] = A[r * K + k0 + tx];
            i = r + 1;
            if (k0 < 64)
                As[i][tx] = A[(r + 1) * K + k0 + tx];
        }
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            acc += As[tx][k];
        __syncthreads();
    }
    y[blockIdx.x * 32 + tx] = acc;
}
