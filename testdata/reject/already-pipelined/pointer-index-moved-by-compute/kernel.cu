// The row that a tile starts at is kept in a local array and read through a
// pointer to it; compute counts it up under that name.
__global__ void turning_rows(const float *__restrict__ A, float *__restrict__ y, int K)
{
    __shared__ float As[32][33];
    const int tx = threadIdx.x;
    int first[1];
    int *p = first;
    p[0] = 0;
    float acc = 0.f;
    for (int k0 = 0; k0 < K; k0 += 32) {
        for (int r = 0; r < 32; ++r)
            As[(p[0] + r) % 32][tx] = A[r * K + k0 + tx];
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            acc += As[k][tx] * (k + 1);
        p[0]++;
        __syncthreads();
    }
    y[blockIdx.x * 32 + tx] = acc;
}
