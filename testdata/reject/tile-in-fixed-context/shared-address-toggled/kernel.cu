#include <cuda_fp16.h>
#include <stdint.h>

__global__ void walked_by_assembly(const half *__restrict__ A, uint32_t *__restrict__ out, int K)
{
    __shared__ __align__(16) half s[32 * 8];
    const int lane = threadIdx.x;
    uint32_t addr = (uint32_t)__cvta_generic_to_shared(&s[lane % 8 * 8]);
    uint32_t sum = 0;
    for (int k = 0; k < K; k += 32 * 8) {
        *(uint4 *)&s[lane * 8] = *(const uint4 *)&A[k + lane * 8];
        __syncthreads();
        uint32_t r;
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(addr));
        asm("xor.b32 %0, %0, 128;" : "+r"(addr)); // the other rows next time
        sum += r;
        __syncthreads();
    }
    out[lane] = sum;
}
