// A product of 64 columns and 64 rows a block in registers, its tiles copied by 16 bytes: those that load do nothing else.
#include <cuda_runtime.h>

// pipelinify: launch sgemm64
//   sizes  m=64 n=64 k=16,32,80
//   sizes  m=128 n=64 k=64
//   target m=4096 n=4096 k=4096
//   grid   n / 64, m / 64
//   block  16, 16
//   a:     in  [m * k]
//   b:     in  [k * n]
//   c:     out [m * n]
//   n:     n
//   k:     k
__global__ void sgemm64(const float4 *__restrict__ a, const float4 *__restrict__ b, float *__restrict__ c, int n, int k)
{
    __shared__ float4 as[64][4], bs[16][16];
    const int t = threadIdx.y * 16 + threadIdx.x;
    const float4 *ap = a + (blockIdx.y * 64 + t / 4) * (k / 4) + t % 4;
    const float4 *bp = b + threadIdx.y * (n / 4) + blockIdx.x * 16 + threadIdx.x;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < k; k0 += 16) {
        as[t / 4][t % 4] = ap[k0 / 4];
        bs[threadIdx.y][threadIdx.x] = bp[k0 * (n / 4)];
        __syncthreads();
        for (int i = 0; i < 16; ++i) {
            const float4 w = bs[i][threadIdx.x];
            for (int r = 0; r < 4; ++r) {
                const float x = reinterpret_cast<const float *>(as[threadIdx.y * 4 + r])[i];
                sum[r][0] += x * w.x;
                sum[r][1] += x * w.y;
                sum[r][2] += x * w.z;
                sum[r][3] += x * w.w;
            }
        }
        __syncthreads();
    }
    float *to = c + (blockIdx.y * 64 + threadIdx.y * 4) * n + blockIdx.x * 64 + threadIdx.x * 4;
    for (int r = 0; r < 4; ++r, to += n)
        for (int q = 0; q < 4; ++q)
            to[q] = sum[r][q];
}

void run(const float4 *a, const float4 *b, float *c, int m, int n, int k)
{
    const dim3 blocks(n / 64, m / 64), threads(16, 16);
    sgemm64<<<blocks, threads>>>(a, b, c, n, k);
}
