// A row is staged twice: the counter is moved back by adding a number that wraps it,
// or by taking off one that is negative as an int.
#include <cuda_runtime.h>

__global__ void all_ones(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float rows[4][64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        bool again = true;
        unsigned r = 0;
        while (r < 4) {
            rows[r][t] = x[(k + r) * 64 + t];
            if (again && r == 2) {
                again = false;
                r += 4294967295u;
            }
            r += 1;
        }
        __syncthreads();
        for (int i = 0; i < 256; ++i)
            sum += rows[i / 64][i % 64] * (float)(i & t);
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void a_byte_of_them(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float rows[4][64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        bool again = true;
        unsigned char r = 0;
        while (r < 4) {
            rows[r][t] = x[(k + r) * 64 + t];
            if (again && r == 1) {
                again = false;
                r += 255;
            }
            r += 1;
        }
        __syncthreads();
        for (int i = 0; i < 256; ++i)
            sum += rows[i / 64][i % 64] * (float)(i & t);
        __syncthreads();
    }
    y[t] = sum;
}

__global__ void taken_off(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float rows[4][64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        bool again = true;
        int r = 3;
        while (r >= 0) {
            rows[r][t] = x[(k + r) * 64 + t];
            if (again && r == 1) {
                again = false;
                r -= 0xffffffffu;
            }
            r -= 1;
        }
        __syncthreads();
        for (int i = 0; i < 256; ++i)
            sum += rows[i / 64][i % 64] * (float)(i & t);
        __syncthreads();
    }
    y[t] = sum;
}
