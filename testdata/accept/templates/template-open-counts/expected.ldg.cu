// Two row-major panels against each other. Only the launch descriptions say what BM and BK are; the bodies are
// device functions, one of them with the block size of a kernel's launch bounds.
template <int BM, int BK, typename T>
__device__ T row_products(const T *a, const T *b, int n)
{
    __shared__ T as_stage[2][BM][BK];
    __shared__ T bs_stage[2][BM][BK];
    const int ty = threadIdx.y;
    const int tx = threadIdx.x;
    T acc = 0;
    // pipelinify: ldg, 2 stages, source 0e9a9430
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    int k0 = 0, stage = 0;
    if (k0 < n) {
        for (int r = ty; r < BM; r += 8)
            for (int c = tx; c < BK; c += 8)
                as_stage[0][r][c] = k0 + c < n ? a[r * n + k0 + c] : 0;
        for (int r = ty; r < BM; r += blockDim.y)
            for (int c = tx; c < BK; c += blockDim.x)
                bs_stage[0][r][c] = k0 + c < n ? b[r * n + k0 + c] : 0;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += BK; k0 < n; k0 += BK) {
            T as_next[(BM + 8 - 1) / 8][(BK + 8 - 1) / 8];
            T bs_next[1][2];
            #pragma unroll
            for (int slot = 0; slot < (BM + 8 - 1) / 8; ++slot) {
                int r = ty + slot * 8;
                if (r < BM) {
                    #pragma unroll
                    for (int slot2 = 0; slot2 < (BK + 8 - 1) / 8; ++slot2) {
                        int c = tx + slot2 * 8;
                        if (c < BK)
                            as_next[slot][slot2] = k0 + c < n ? a[r * n + k0 + c] : 0;
                    }
                }
            }
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int r = ty + slot * blockDim.y;
                if (r < BM) {
                    #pragma unroll
                    for (int slot2 = 0; slot2 < 2; ++slot2) {
                        int c = tx + slot2 * blockDim.x;
                        if (c < BK)
                            bs_next[slot][slot2] = k0 + c < n ? b[r * n + k0 + c] : 0;
                    }
                }
            }
            for (int k = 0; k < BK; ++k)
                acc += as_stage[stage][ty][k] * bs_stage[stage][tx][k];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < (BM + 8 - 1) / 8; ++slot) {
                int r = ty + slot * 8;
                if (r < BM) {
                    #pragma unroll
                    for (int slot2 = 0; slot2 < (BK + 8 - 1) / 8; ++slot2) {
                        int c = tx + slot2 * 8;
                        if (c < BK)
                            as_stage[stage][r][c] = as_next[slot][slot2];
                    }
                }
            }
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int r = ty + slot * blockDim.y;
                if (r < BM) {
                    #pragma unroll
                    for (int slot2 = 0; slot2 < 2; ++slot2) {
                        int c = tx + slot2 * blockDim.x;
                        if (c < BK)
                            bs_stage[stage][r][c] = bs_next[slot][slot2];
                    }
                    // What has not been fetched ahead.
                    for (int c = tx + 2 * blockDim.x; c < BK; c += blockDim.x)
                        bs_stage[stage][r][c] = k0 + c < n ? b[r * n + k0 + c] : 0;
                }
            }
            // What has not been fetched ahead.
            for (int r = ty + blockDim.y; r < BM; r += blockDim.y)
                for (int c = tx; c < BK; c += blockDim.x)
                    bs_stage[stage][r][c] = k0 + c < n ? b[r * n + k0 + c] : 0;
            __syncthreads();
        }
        for (int k = 0; k < BK; ++k)
            acc += as_stage[stage][ty][k] * bs_stage[stage][tx][k];
        __syncthreads();
    }
    return acc;
}

// pipelinify: launch panels<8, 16>
//   sizes  n=0,5,16,20,32,48,64,80
//   target n=32768
//   grid   1
//   block  8, 8
//   a: in  [8 * n]
//   b: in  [8 * n]
//   y: out [64]
//   n: n
template <int BM, int BK>
__global__ void panels(const float *a, const float *b, float *y, int n)
{
    y[threadIdx.y * BM + threadIdx.x] = row_products<BM, BK>(a, b, n);
}

static __device__ void weigh(const float *x, float *y, int n)
{
    __shared__ float s_stage[2][256];
    const int tid = threadIdx.x;
    float acc = 0.0f;
    // pipelinify: ldg, 2 stages, source fd015fc6
    int k0 = 0, stage = 0;
    if (k0 < n) {
        for (int i = tid; i < 256; i += blockDim.x)
            s_stage[0][i] = k0 + i < n ? x[k0 + i] : 0.0f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 256; k0 < n; k0 += 256) {
            float s_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = tid + slot * blockDim.x;
                if (i < 256)
                    s_next[slot] = k0 + i < n ? x[k0 + i] : 0.0f;
            }
            for (int k = 0; k < 256; ++k)
                acc += s_stage[stage][k] * (tid + 1);
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = tid + slot * blockDim.x;
                if (i < 256)
                    s_stage[stage][i] = s_next[slot];
            }
            // What has not been fetched ahead.
            for (int i = tid + 4 * blockDim.x; i < 256; i += blockDim.x)
                s_stage[stage][i] = k0 + i < n ? x[k0 + i] : 0.0f;
            __syncthreads();
        }
        for (int k = 0; k < 256; ++k)
            acc += s_stage[stage][k] * (tid + 1);
        __syncthreads();
    }
    y[blockIdx.x * 64 + tid] = acc;
}

// pipelinify: launch sweep
//   sizes  n=0,100,256,512,768,1000,1280
//   target n=262144
//   grid   2
//   block  64
//   x: in  [n]
//   y: out [128]
//   n: n
__global__ void __launch_bounds__(64) sweep(const float *x, float *y, int n)
{
    weigh(x, y, n);
}
