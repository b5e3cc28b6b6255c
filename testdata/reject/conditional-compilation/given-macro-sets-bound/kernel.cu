// With -DTRIANGULAR only the part of the matrix below the diagonal is there, and
// each thread stops at its own row.
__global__ void __launch_bounds__(96)
matrix_times_ones(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[96];
    const int t = threadIdx.x;
    const int row = blockIdx.x * 96 + t;
    int columns = n;
#ifdef TRIANGULAR
    columns = row + 1;
#endif
    float sum = 0.f;
    for (int c = 0; c < columns; c += 96) {
        part[t] = a[blockIdx.x * n + c + t];
        __syncthreads();
        for (int j = 0; j < 96; ++j)
            sum += part[j];
        __syncthreads();
    }
    y[row] = sum;
}
