#if defined(__HIP_PLATFORM_AMD__)
#define TILE_K 32
#else
#define TILE_K 16
#endif

__global__ void skinny_gemm(const float *__restrict__ a,
                            const float *__restrict__ b,
                            float *__restrict__ c, int n, int k)
{
    __shared__ float at[8][TILE_K];
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    float acc[8] = {0.f};

    for (int k0 = 0; k0 < k; k0 += TILE_K) {
        if (threadIdx.x < 8) {
            for (int kk = 0; kk < TILE_K; ++kk)
                at[threadIdx.x][kk] = a[threadIdx.x * k + k0 + kk];
        }
        __syncthreads();
        for (int kk = 0; kk < TILE_K; ++kk) {
            const float bv = b[(k0 + kk) * n + col];
#pragma unroll
            for (int r = 0; r < 8; ++r)
                acc[r] += at[r][kk] * bv;
        }
        __syncthreads();
    }
    for (int r = 0; r < 8; ++r)
        c[r * n + col] = acc[r];
}
