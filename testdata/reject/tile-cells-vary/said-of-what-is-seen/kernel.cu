// Reasons that are easily taken for another one.
#include <cuda_runtime.h>

constexpr int T = 64;

// Each half is filled in turn, and all of the array is read: no two buffers.
__global__ void halves(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[2 * T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    s[t] = s[T + t] = 0.0f;
    __syncthreads();
    for (int i = 0; i < n; ++i) {
        s[(i & 1) * T + t] = a[i * T + t];
        __syncthreads();
        for (int j = 0; j < 2 * T; ++j)
            sum += s[j] * (j - t);
        __syncthreads();
    }
    out[t] = sum;
}

struct Waits {
    __device__ ~Waits() { __syncthreads(); }
};

// Objects that wait where they end: no race.
__global__ void scopes(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        {
            Waits filled;
            s[t] = a[i * T + t];
        }
        {
            Waits used;
            for (int j = 0; j < T; ++j)
                sum += s[j] * (j - t);
        }
    }
    out[t] = sum;
}

// The step stands in the index; a barrier, behind a comma.
__global__ void steps_in_index(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    int i = 0;
    while (i < n) {
        s[t] = a[i++ * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j - t);
        __syncthreads();
    }
    for (i = 0; i < n; ++i) {
        s[t] = a[i * T + t], __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j - t);
        __syncthreads();
    }
    out[t] = sum;
}

// A block of its own is no branch, and cannot go: its `n` is another one.
__global__ void block_in_body(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        {
            const int n = i * T;
            s[t] = a[n + t];
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j - t);
        __syncthreads();
    }
    out[t] = sum;
}
