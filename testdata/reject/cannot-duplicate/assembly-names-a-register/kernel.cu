#include <cuda_runtime.h>

#define TILE 128

/* The high half of a product, by a register that the assembly names itself. In a
 * second copy of the text the register would be there twice. */
__global__ void high_sums(const unsigned *__restrict__ in, unsigned *__restrict__ sums, int n)
{
    __shared__ unsigned part[TILE];
    unsigned sum = 0;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < TILE; ++k) {
            unsigned high;
            asm(".reg .u64 wide;\n\t"
                "mul.wide.u32 wide, %1, %2;\n\t"
                "shr.u64 wide, wide, 32;\n\t"
                "cvt.u32.u64 %0, wide;"
                : "=r"(high) : "r"(part[k]), "r"(part[k ^ 1]));
            sum += high;
        }
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

/* A label, in a function that compute calls. */
__device__ unsigned marked(unsigned x)
{
    unsigned y;
    asm("mov.u32 %0, %1;\nMARK:\n\tadd.u32 %0, %0, 1;" : "=r"(y) : "r"(x));
    return y;
}

__global__ void marked_sums(const unsigned *__restrict__ in, unsigned *__restrict__ sums, int n)
{
    __shared__ unsigned part[TILE];
    unsigned sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads();
        sum += marked(part[threadIdx.x ^ 1]);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

/* In braces of its own, and with a label of which each copy makes another. */
__global__ void braced_sums(const unsigned *__restrict__ in, unsigned *__restrict__ sums, int n)
{
    __shared__ unsigned part[TILE];
    unsigned sum = 0;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads();
        unsigned high;
        asm("{\n\t.reg .u64 wide;\n\t"
            "mul.wide.u32 wide, %1, %2;\n\t"
            "shr.u64 wide, wide, 32;\n\t"
            "cvt.u32.u64 %0, wide;\n\t}\nMARK_%=:\n\tadd.u32 %0, %0, 1;"
            : "=r"(high) : "r"(part[threadIdx.x]), "r"(part[threadIdx.x ^ 1]));
        sum += high;
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
