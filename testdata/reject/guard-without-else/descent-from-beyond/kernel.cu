// Cells that only full tiles fill are read where a count goes down, or beside the last one.
#define TILE 256

__global__ __launch_bounds__(64) void from_count(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float xs[TILE];
    float sum = 0.0f;
    for (int base = 0; base < n; base += TILE) {
        const int count = min(TILE, n - base);
        for (int c = threadIdx.x; c < count; c += 64)
            xs[c] = x[base + c];
        __syncthreads();
        for (int c = min(count, TILE - 1); c >= 0; --c) // xs[count] is the last tile's
            sum += xs[c] * c;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ __launch_bounds__(64) void climbing(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float xs[TILE];
    float sum = 0.0f;
    for (int base = 0; base < n; base += TILE) {
        const int count = min(TILE, n - base);
        for (int c = threadIdx.x; c < count; c += 64)
            xs[c] = x[base + c];
        __syncthreads();
        for (int c = count - 1; c >= 0; --c) {
            c += threadIdx.x == 0 && c + 2 < TILE && c % 3 == 0 ? 2 : 0;
            sum += xs[c] * c;
            c -= threadIdx.x == 0 && c >= 2 && (c - 2) % 3 == 0 ? 2 : 0;
        }
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ __launch_bounds__(64) void grown(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float xs[TILE];
    float sum = 0.0f;
    for (int base = 0; base < n; base += TILE) {
        int count = min(TILE, n - base);
        for (int c = threadIdx.x; c < count; c += 64)
            xs[c] = x[base + c];
        __syncthreads();
        count = min(TILE, count + 1);
        sum += xs[count - 1];
        for (int c = count - 1; c >= 0; --c)
            sum += xs[c] * c;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
