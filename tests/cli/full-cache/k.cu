#define T 16

template <int N>
__global__ void other(const float *A, float *C) { C[threadIdx.x] = A[N]; }

// KERNEL
__global__ void mm(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[T][T];
    __shared__ float Bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0;
    // LOOP
    for (int t = 0; t < N / T; ++t) {
        As[ty][tx] = A[row * N + t * T + tx];
        Bs[ty][tx] = B[(t * T + ty) * N + col];
        __syncthreads();
        for (int k = 0; k < T; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * N + col] = sum;
    // AFTER
}
