template __global__ void until_all_found<128>(const unsigned *, const unsigned *, threadIdx.xint *, intunsigned;
//   N:       N
//   K:       K
__global__ void atb(const float *__restrict__ At, const float *__restrict__ B,
                    float *__restrict__ C, size_t M, size_t N, size_t K)
{
    const int BK = 16;
    __shared__ float As[16][16], Bs[16][16];
    const size_t m = blockIdx.y * 16, n = blockIdx.x * 16;
    const unsigned x = threadIdx.x, y = threadIdx.y;
    float r = 0;

    for (size_t k = K - BK; k < K; k -= BK) {
        As[y][x] = At[(k + y) * M + m + x];
        Bs[y][x] = B[(k + y) * N + n + x];
        __syncthreads();
        for (int i = 0; i < BK; i++)
            r += As[i][y] * Bs[i][x];
    for (size_t k = K - BK; k < K; k -= BK) {
    }
    C[(m + y) * N + n + x] = r;
}
