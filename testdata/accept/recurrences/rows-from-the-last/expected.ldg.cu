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

template <int ROWS>
__device__ __forceinline__ auto fill_rows_fetch(const float *from, int t)
{
    struct {
        float to_next[8];
    } next;
    #pragma unroll
    for (int q = ROWS, slot = 0; slot < 8 && q-- > 0; ++slot) {
        next.to_next[slot] = from[q * THREADS + t];
    }
    return next;
}

template <int ROWS, typename Registers>
__device__ __forceinline__ void fill_rows_store(float (*to)[THREADS], const float *from, int t, const Registers &next)
{
    {
        int q = ROWS;
        #pragma unroll
        for (int slot = 0; slot < 8 && q-- > 0; ++slot) {
            to[q][t] = next.to_next[slot];
        }
        for (; q-- > 0; )
            to[q][t] = from[q * THREADS + t];
    }
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
    __shared__ float rows_stage[2][8][THREADS];
    __shared__ float weights_stage[2][PANEL];
    __shared__ float margin_stage[2][64];
    const int t = threadIdx.x;
    float s = 0;
    // pipelinify: ldg, 2 stages, source 2369a764
    int k0 = 0, stage = 0;
    if (k0 < n) {
        {
            fill_rows<8>(rows_stage[0], a + k0 * 16, t);
            for (int i = PANEL - 1 - t; i >= 0; i -= THREADS)
                weights_stage[0][i] = w[k0 + i];
            int left = 63 - t;
            while (0 <= left) {
                margin_stage[0][left] = left < m ? a[k0 * 16 + left] : 0.f;
                left = left - 16;
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += PANEL; k0 < n; k0 += PANEL) {
            float weights_next[1];
            float margin_next[4];
            auto rows_next = fill_rows_fetch<8>(a + k0 * 16, t);
            #pragma unroll
            for (int i = PANEL - 1 - t, slot = 0; slot < 1 && i >= 0; i -= THREADS, ++slot) {
                weights_next[slot] = w[k0 + i];
            }
            int left = 63 - t;
            #pragma unroll
            for (int slot = 0; slot < 4 && 0 <= left; ++slot) {
                margin_next[slot] = left < m ? a[k0 * 16 + left] : 0.f;
                left = left - 16;
            }
            for (int i = 0; i < PANEL; ++i)
                s += rows_stage[stage][i % 8][(t + i) % THREADS] * weights_stage[stage][i] +
                     margin_stage[stage][(t * i) % 64];
            stage ^= 1;
            {
                fill_rows_store<8>(rows_stage[stage], a + k0 * 16, t, rows_next);
                {
                    int i = PANEL - 1 - t;
                    #pragma unroll
                    for (int slot = 0; slot < 1 && i >= 0; i -= THREADS, ++slot) {
                        weights_stage[stage][i] = weights_next[slot];
                    }
                    for (; i >= 0; i -= THREADS)
                        weights_stage[stage][i] = w[k0 + i];
                }
                int left = 63 - t;
                #pragma unroll
                for (int slot = 0; slot < 4 && 0 <= left; ++slot) {
                    margin_stage[stage][left] = margin_next[slot];
                    left = left - 16;
                }
            }
            __syncthreads();
        }
        for (int i = 0; i < PANEL; ++i)
            s += rows_stage[stage][i % 8][(t + i) % THREADS] * weights_stage[stage][i] + margin_stage[stage][(t * i) % 64];
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
    __shared__ float upper_stage[2][8][THREADS];
    __shared__ float lower_stage[2][8][THREADS];
    const int t = threadIdx.x;
    float s = 0;
    // pipelinify: ldg, 2 stages, source c96471c3
    int k = 0, stage = 0;
    if (k < n) {
        for (int q = 7, r = 0; q >= 0; --q, ++r)
            upper_stage[0][r][t] = a[(k * 8 + q) * THREADS + t];
        for (int q = 7; q > -1; q -= 1) {
            if (q == v) {
                lower_stage[0][q][t] = 1.f;
                continue;
            }
            lower_stage[0][q][t] = w[(k * 8 + q) * THREADS + t];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float upper_next[8];
            float lower_next[8];
            #pragma unroll
            for (int q = 7, r = 0, slot = 0; slot < 8 && q >= 0; --q, ++r, ++slot) {
                upper_next[slot] = a[(k * 8 + q) * THREADS + t];
            }
            #pragma unroll
            for (int q = 7, slot = 0; slot < 8 && q > -1; q -= 1, ++slot) {
                if (q == v) {
                    continue;
                }
                lower_next[slot] = w[(k * 8 + q) * THREADS + t];
            }
            for (int r = 0; r < 8; ++r)
                s += upper_stage[stage][r][(t + r) % THREADS] * lower_stage[stage][r][(t * 3 + r) % THREADS];
            stage ^= 1;
            #pragma unroll
            for (int q = 7, r = 0, slot = 0; slot < 8 && q >= 0; --q, ++r, ++slot) {
                upper_stage[stage][r][t] = upper_next[slot];
            }
            #pragma unroll
            for (int q = 7, slot = 0; slot < 8 && q > -1; q -= 1, ++slot) {
                if (q == v) {
                    lower_stage[stage][q][t] = 1.f;
                    continue;
                }
                lower_stage[stage][q][t] = lower_next[slot];
            }
            __syncthreads();
        }
        for (int r = 0; r < 8; ++r)
            s += upper_stage[stage][r][(t + r) % THREADS] * lower_stage[stage][r][(t * 3 + r) % THREADS];
    }
    o[t] = s;
}
