// Banded products whose panels are filled from the last row up, as the factorisation
// that hands them on has left them.
#define PANEL 32
#define THREADS 64

template <int ROWS>
__device__ __forceinline__ void fill_rows(float (*to)[THREADS], const float *from, int t)
{
    for (int q = ROWS; q-- > 0;)
        to[q][t] = from[q * THREADS + t];
}

// pipelinify: launch banded_product
//   sizes n=0,32,64,96,160 m=-20,0,20,500
//   target n=65536 m=64
//   block 64
//   a: in [n * 16 + 16]
//   w: in [n + 1]
//   o: inout [64]
//   n: n
//   m: m
__global__ void banded_product(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ o, int n, int m)
{
    __shared__ float rows[8][THREADS];
    __shared__ float weights[PANEL];
    __shared__ float margin[64];
    const int t = threadIdx.x;
    float s = 0;
    for (int k0 = 0; k0 < n; k0 += PANEL) {
        fill_rows<8>(rows, a + k0 * 16, t);
        for (int i = PANEL - 1 - t; i >= 0; i -= THREADS)
            weights[i] = w[k0 + i];
        int left = 63 - t;
        while (0 <= left) {
            margin[left] = left < m ? a[k0 * 16 + left] : 0.f;
            left = left - 16;
        }
        __syncthreads();
        for (int i = 0; i < PANEL; ++i)
            s += rows[i % 8][(t + i) % THREADS] * weights[i] + margin[(t * i) % 64];
        __syncthreads();
    }
    o[t] = s;
}

// pipelinify: launch banded_pairs
//   sizes n=0,1,2,3,5 v=-5,3,8
//   target n=2048 v=-5
//   block 64
//   a: in [n * 512 + 1]
//   w: in [n * 512 + 1]
//   o: inout [64]
//   n: n
//   v: v
__global__ void banded_pairs(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ o, int n, int v)
{
    __shared__ float upper[8][THREADS];
    __shared__ float lower[8][THREADS];
    const int t = threadIdx.x;
    float s = 0;
    for (int k = 0; k < n; ++k) {
        for (int q = 7, r = 0; q >= 0; --q, ++r)
            upper[r][t] = a[(k * 8 + q) * THREADS + t];
        for (int q = 7; q > -1; q -= 1) {
            if (q == v) {
                lower[q][t] = 1.f;
                continue;
            }
            lower[q][t] = w[(k * 8 + q) * THREADS + t];
        }
        __syncthreads();
        for (int r = 0; r < 8; ++r)
            s += upper[r][(t + r) % THREADS] * lower[r][(t * 3 + r) % THREADS];
        __syncthreads();
    }
    o[t] = s;
}
