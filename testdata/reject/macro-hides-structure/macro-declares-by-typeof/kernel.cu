// A macro's block declares a name that means something else to the loop: its braces stay, however
// the declaration is written.
#define FILL(cell, value)         \
    do {                          \
        __typeof__(value) y = (value); \
        (cell) = y * 2;           \
    } while (0)

__global__ void by_typeof(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    float sum = 0, y = 3;
    for (int k = 0; k < n; ++k) {
        FILL(s[threadIdx.x], a[k * 64 + threadIdx.x]);
        __syncthreads();
        sum += s[63 - threadIdx.x] * y;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}
