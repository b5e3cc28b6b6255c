// The constant that says the size has another value behind another answer of the preprocessor's.
#ifdef LARGE_TILES
constexpr int kCells = 11000;
#else
constexpr int kCells = 5632;
#endif

__global__ void __launch_bounds__(256) by_answer(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[kCells];
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < kCells; i += 256)
            s[i] = x[t * kCells + i];
        __syncthreads();
        for (int k = 0; k < kCells; k += 8)
            sum += s[(k + threadIdx.x) % kCells];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

constexpr int kFixed = 5632;

__global__ void __launch_bounds__(256) fixed(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[kFixed];
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < kFixed; i += 256)
            s[i] = x[t * kFixed + i];
        __syncthreads();
        for (int k = 0; k < kFixed; k += 8)
            sum += s[(k + threadIdx.x) % kFixed];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
