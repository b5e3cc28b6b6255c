#include <stdint.h>

// int8 weights arrive packed; a second shared array holds them as floats.
__global__ void __launch_bounds__(128)
w8_gemv(const int8_t *__restrict__ wq, const float *__restrict__ scale,
        const float *__restrict__ x, float *__restrict__ y, int k)
{
    __shared__ int8_t packed[8][16];
    __shared__ float wide[8][16];
    const int t = threadIdx.x, r = t / 16, c = t % 16;
    float acc = 0.f;

    for (int k0 = 0; k0 < k; k0 += 16) {
        packed[r][c] = wq[(blockIdx.x * 8 + r) * k + k0 + c];
        __syncthreads();
        wide[r][c] = packed[r][c ^ 8] * scale[r];
        __syncthreads();
        for (int j = c; j < 16; j += 4)
            acc += wide[r][j] * x[k0 + j];
        __syncthreads();
    }
    y[(blockIdx.x * 8 + r) * 16 + c] = acc;
}
