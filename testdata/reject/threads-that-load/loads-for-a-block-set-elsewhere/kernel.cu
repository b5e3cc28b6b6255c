// How many threads a block has was 64 where it was declared: another file, a reference or a
// function may have set it since. That of the last launch stays.
#include <utility>

__global__ void counted(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float row[1024];
    float sum = 0.0f;
    for (int r = 0; r < n; ++r) {
        row[threadIdx.x] = in[r * blockDim.x + threadIdx.x];
        __syncthreads();
        for (int q = 0; q < 64; ++q)
            sum = 0.5f * sum + row[q];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void widened(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float row[1024];
    float sum = 0.0f;
    for (int r = 0; r < n; ++r) {
        row[threadIdx.x] = in[r * blockDim.x + threadIdx.x];
        __syncthreads();
        for (int q = 0; q < 64; ++q)
            sum = 0.25f * sum + row[q];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void exchanged(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float row[1024];
    float sum = 0.0f;
    for (int r = 0; r < n; ++r) {
        row[threadIdx.x] = in[r * blockDim.x + threadIdx.x];
        __syncthreads();
        for (int q = 0; q < 64; ++q)
            sum = 0.125f * sum + row[q];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void renamed(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float row[1024];
    float sum = 0.0f;
    for (int r = 0; r < n; ++r) {
        row[threadIdx.x] = in[r * blockDim.x + threadIdx.x];
        __syncthreads();
        for (int q = 0; q < 64; ++q)
            sum = 0.75f * sum + row[q];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void same(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float row[1024];
    float sum = 0.0f;
    for (int r = 0; r < n; ++r) {
        row[threadIdx.x] = in[r * blockDim.x + threadIdx.x];
        __syncthreads();
        for (int q = 0; q < 64; ++q)
            sum = 0.625f * sum + row[q];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

int threads = 64;
static const dim3 always(64);

static void widen(int &block, int n)
{
    if (n > 3)
        block *= 4;
}

static int twice(const int &block) { return 2 * block; }

void run(const float *in, float *out, int n)
{
    int block = 64, other = 64;
    dim3 small(64), large(256);
    int &alias = other;
    alias = 256;
    widen(block, n);
    std::swap(small, large);
    counted<<<2, threads>>>(in, out, n);
    widened<<<2, block>>>(in, out, n);
    exchanged<<<2, small>>>(in, out, n);
    renamed<<<2, other>>>(in, out, n);
    const int half = 32;
    same<<<twice(half), always>>>(in, out, n);
}
