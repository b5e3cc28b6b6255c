// A helper has its own copy of an object, or one that it may not change: a method or an element of the caller's would be another one. A method calls its own class's, not the derived one's.
#include <cuda_runtime.h>

struct Gain {
    int value;
    int steps[2];
    __device__ int next() { return ++value; }
    __device__ int level() const { return value; }
    __device__ int level() { return value + 1; }
    __device__ int operator[](int i) const { return value + i; }
    __device__ int operator[](int i) { return value - i; }
};

__device__ void raise_all(int *steps) { steps[0] += 3; }

struct Reader {
    const float *src;
    int at;
    __device__ void next() { at += 64; }
    __device__ void load(float *s)
    {
        s[threadIdx.x] = src[at + threadIdx.x];
        next();
    }
};
struct Overlapping : Reader {
    __device__ void next() { at += 32; }
};

__device__ __forceinline__ void stepped(float *s, const float *src, Gain gain, float &acc)
{
    s[threadIdx.x] = src[threadIdx.x];
    __syncthreads();
    gain.next();
    for (int i = 0; i < 64; ++i)
        acc += s[i ^ threadIdx.x] * gain.value;
    __syncthreads();
}

__device__ __forceinline__ void raised(float *s, const float *src, Gain gain, float &acc)
{
    s[threadIdx.x] = src[threadIdx.x];
    __syncthreads();
    raise_all(gain.steps);
    for (int i = 0; i < 64; ++i)
        acc += s[i ^ threadIdx.x] * gain.steps[0];
    __syncthreads();
}

__device__ __forceinline__ void asked(float *s, const float *src, const Gain &gain, float &acc)
{
    s[threadIdx.x] = src[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
        acc += s[i ^ threadIdx.x] * gain.level();
    __syncthreads();
}

__device__ __forceinline__ void asked_of_a_copy(float *s, const float *src, const Gain gain, float &acc)
{
    s[threadIdx.x] = src[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
        acc += s[i ^ threadIdx.x] * gain.level();
    __syncthreads();
}

__device__ __forceinline__ void indexed(float *s, const float *src, const Gain &gain, float &acc)
{
    s[threadIdx.x] = src[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
        acc += s[i ^ threadIdx.x] * gain[i];
    __syncthreads();
}

__device__ __forceinline__ void asked_of_two(float *s, const float *src, const Gain (&gains)[2], float &acc)
{
    s[threadIdx.x] = src[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
        acc += s[i ^ threadIdx.x] * gains[i & 1].level();
    __syncthreads();
}

__global__ void gains(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    Gain gain = {1, {2, 3}};
    for (int k = 0; k < n; k += 64)
        stepped(tile, x + k, gain, sum);
    for (int k = 0; k < n; k += 64)
        raised(tile, x + k, gain, sum);
    for (int k = 0; k < n; k += 64)
        asked(tile, x + k, gain, sum);
    for (int k = 0; k < n; k += 64)
        asked_of_a_copy(tile, x + k, gain, sum);
    for (int k = 0; k < n; k += 64)
        indexed(tile, x + k, gain, sum);
    Gain two[2] = {gain, gain};
    for (int k = 0; k < n; k += 64)
        asked_of_two(tile, x + k, two, sum);
    y[threadIdx.x] = sum + gain.value;
}

__global__ void windows(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    Overlapping reader;
    reader.src = x;
    reader.at = 0;
    for (int k = 0; k < n; k += 64) {
        reader.load(tile);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i ^ threadIdx.x] * (i + reader.at);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
