// Two row-major panels against each other. Only the launch descriptions say what BM and BK are; the bodies are
// device functions, one of them with the block size of a kernel's launch bounds.
template <int BM, int BK, typename T>
__device__ T row_products(const T *a, const T *b, int n)
{
    __shared__ T as[BM][BK];
    __shared__ T bs[BM][BK];
    const int ty = threadIdx.y;
    const int tx = threadIdx.x;
    T acc = 0;
    for (int k0 = 0; k0 < n; k0 += BK) {
        for (int r = ty; r < BM; r += 8)
            for (int c = tx; c < BK; c += 8)
                as[r][c] = k0 + c < n ? a[r * n + k0 + c] : 0;
        for (int r = ty; r < BM; r += blockDim.y)
            for (int c = tx; c < BK; c += blockDim.x)
                bs[r][c] = k0 + c < n ? b[r * n + k0 + c] : 0;
        __syncthreads();
        for (int k = 0; k < BK; ++k)
            acc += as[ty][k] * bs[tx][k];
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
    __shared__ float s[256];
    const int tid = threadIdx.x;
    float acc = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 256) {
        for (int i = tid; i < 256; i += blockDim.x)
            s[i] = k0 + i < n ? x[k0 + i] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 256; ++k)
            acc += s[k] * (tid + 1);
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
