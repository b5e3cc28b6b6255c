// Views that give back a value, or one of two cells, one of which is the view's own: there is no cell
// to copy from asynchronously.
#include <cuda_runtime.h>

constexpr int T = 16;

struct ByValue {
    const float *data;
    int cols;

    __device__ float operator()(int r, int c) const { return data[r * cols + c]; }
};

struct Clamped {
    const float *data;
    int cols;
    float beyond;

    __device__ const float &operator()(int r, int c) const { return c < cols ? data[r * cols + c] : beyond; }
};

struct Scaled {
    const float *data;
    int cols;

    __device__ float operator()(int r, int c) const { return 2.f * data[r * cols + c]; }
};

__global__ void by_value(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    __shared__ float As[T][T], Bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    const ByValue a = {A, K}, b = {B, N};
    float acc = 0.f;
    for (int k0 = 0; k0 < K; k0 += T) {
        As[ty][tx] = r < M && k0 + tx < K ? a(r, k0 + tx) : 0.f;
        Bs[ty][tx] = c < N && k0 + ty < K ? b(k0 + ty, c) : 0.f;
        __syncthreads();
        for (int e = 0; e < T; ++e)
            acc += As[ty][e] * Bs[e][tx];
        __syncthreads();
    }
    if (r < M && c < N)
        C[r * N + c] = acc;
}

__global__ void clamped(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    __shared__ float As[T][T], Bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    const Clamped a = {A, K, 1.f}, b = {B, N, 1.f};
    float acc = 0.f;
    for (int k0 = 0; k0 < K; k0 += T) {
        As[ty][tx] = r < M && k0 + tx < K ? a(r, k0 + tx) : 0.f;
        Bs[ty][tx] = c < N && k0 + ty < K ? b(k0 + ty, c) : 0.f;
        __syncthreads();
        for (int e = 0; e < T; ++e)
            acc += As[ty][e] * Bs[e][tx];
        __syncthreads();
    }
    if (r < M && c < N)
        C[r * N + c] = acc;
}

__global__ void scaled(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N, int K)
{
    __shared__ float As[T][T], Bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty, c = blockIdx.x * T + tx;
    const Scaled a = {A, K}, b = {B, N};
    float acc = 0.f;
    for (int k0 = 0; k0 < K; k0 += T) {
        As[ty][tx] = r < M && k0 + tx < K ? a(r, k0 + tx) : 0.f;
        Bs[ty][tx] = c < N && k0 + ty < K ? b(k0 + ty, c) : 0.f;
        __syncthreads();
        for (int e = 0; e < T; ++e)
            acc += As[ty][e] * Bs[e][tx];
        __syncthreads();
    }
    if (r < M && c < N)
        C[r * N + c] = acc;
}
