#define T 16

__global__ void gemm_countdown(const float *__restrict__ A, const float *__restrict__ B,
                               float *__restrict__ C, const int *__restrict__ empty,
                               int ld, int tiles)
{
    __shared__ float a[T][T];
    __shared__ float b[T][T];
    const int x = threadIdx.x, y = threadIdx.y;
    const float *pa = A + (blockIdx.y * T + y) * ld + x;
    const float *pb = B + y * ld + blockIdx.x * T + x;
    float acc = 0.0f;

    while (tiles-- > 0) {
        if (empty[tiles])
            continue;
        a[y][x] = pa[tiles * T];
        b[y][x] = pb[tiles * T * ld];
        __syncthreads();
        for (int k = 0; k < T; ++k)
            acc += a[y][k] * b[k][x];
        __syncthreads();
    }
    C[(blockIdx.y * T + y) * ld + blockIdx.x * T + x] = acc;
}
