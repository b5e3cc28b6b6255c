template <class E, int N>
__host__ __device__ constexpr int len(E (&)[N]) { return N; }

template <class E, int N, int M>
__host__ __device__ constexpr int width(E (&)[N][M]) { return M; }

__global__ void constexpr_len(const int *__restrict__ a, int *__restrict__ b, int tiles)
{
    __shared__ int t[4][64];
    const int i = threadIdx.x;
    int s = 0;
    for (int k = 0; k < tiles; ++k) {
        for (int r = 0; r < 4; ++r)
            t[r][i] = a[(k * 4 + r) * 64 + i];
        __syncthreads();
        constexpr int R = len(t);
        constexpr int W = width(t);
        for (int r = 0; r < R; ++r)
            s += t[r][(i + r) % W];
        __syncthreads();
    }
    b[blockIdx.x * 64 + i] = s;
}
