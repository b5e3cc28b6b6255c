// B = L * A for a lower triangular L: block row b only needs the first b + 1 tiles of K.

template<int S>
static __device__ inline float mac_row(const float *lrow, const float (*a)[S], int x, float s)
{
    for (int k = 0; k < S; k++)
        s += lrow[k] * a[k][x];
    return s;
}

// pipelinify: launch trmm
//   sizes    n=16,32,48,80 m=16
//   sizes    n=64 m=32
//   target   n=4096 m=4096
//   grid     m / 16, n / 16
//   block    16, 16
//   L:       in  [n * n]
//   A:       in  [n * m]
//   B:       out [n * m]
//   n:       n
//   m:       m
__global__ void trmm(const float *__restrict__ L, const float *__restrict__ A,
                     float *__restrict__ B, int n, int m)
{
    __shared__ float l_stage[2][16][16];
    __shared__ float a_stage[2][16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 16 + y;
    int col = blockIdx.x * 16 + x;
    float s = 0;

    // pipelinify: ldg, 2 stages, source 2acd7aa4
    int kb = 0, stage = 0;
    if (kb <= blockIdx.y) {
        {
            int kk = kb * 16 + x;
            l_stage[0][y][x] = kk <= row ? L[row * n + kk] : 0;
            a_stage[0][y][x] = A[(kb * 16 + y) * m + col];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (kb++; kb <= blockIdx.y; kb++) {
            int kk = kb * 16 + x;
            float l_next = kk <= row ? L[row * n + kk] : 0;
            float a_next = A[(kb * 16 + y) * m + col];
            s = mac_row<16>(l_stage[stage][y], a_stage[stage], x, s);
            stage ^= 1;
            l_stage[stage][y][x] = l_next;
            a_stage[stage][y][x] = a_next;
            __syncthreads();
        }
        s = mac_row<16>(l_stage[stage][y], a_stage[stage], x, s);
    }
    B[row * m + col] = s;
}
