// The copy loop stops at the first sample above the threshold: how many cells are filled is up to the data.
// One buffer keeps the others, and what decides is at hand when the store is replayed: rewritten.
__global__ void leading_quiet(const float *__restrict__ x, float *__restrict__ y, int n, float threshold)
{
    __shared__ float quiet[4][64];
    float sum = 0.0f;
    for (int i = 0; i < n; i += 256) {
        for (int r = 0; r < 4; ++r) {
            const float v = x[i + r * 64 + threadIdx.x];
            if (v > threshold)
                break;
            quiet[r][threadIdx.x] = v;
        }
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += quiet[k & 3][k ^ threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The same with a continue that reads memory itself.
__global__ void positive_rows(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float rows[4][64];
    float sum = 0.0f;
    for (int i = 0; i < n; i += 256) {
        for (int r = 0; r < 4; ++r) {
            if (x[i + r * 64] < 0.0f)
                continue;
            rows[r][threadIdx.x] = x[i + r * 64 + threadIdx.x];
        }
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += rows[k & 3][k ^ threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
