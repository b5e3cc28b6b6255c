// Products of signed bytes by fours, three stages in dynamic shared memory, one loop that
// asks and computes, its depth a template's argument.
#include <cuda_runtime.h>
template <int STAGES>
struct Shape { enum { rows = 32, words = 8, stage = rows * words }; };

template <int STAGES>
__global__ void __launch_bounds__(256) bytes(const int *__restrict__ a, const int *__restrict__ b, int *__restrict__ c, int kwords)
{
    extern __shared__ int stage[];
    typedef Shape<STAGES> S;
    int *left = stage, *right = stage + STAGES * S::stage;
    const int row = threadIdx.x / 8, word = threadIdx.x % 8;
    const int steps = kwords / 8;
    int sum = 0;
    for (int s = 0; s < steps + STAGES - 1; ++s) {
        if (s < steps) {
            const int at = s % STAGES * S::stage + threadIdx.x;
            const unsigned l = (unsigned)__cvta_generic_to_shared(left + at), r = (unsigned)__cvta_generic_to_shared(right + at);
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(l), "l"(a + row * kwords + s * 8 + word));
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(r), "l"(b + row * kwords + s * 8 + word));
        }
        asm volatile("cp.async.commit_group;");
        const int k = s - (STAGES - 1);
        if (k < 0) continue;
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 1));
        __syncthreads();
        const int *x = left + k % STAGES * S::stage + row * 8, *y = right + k % STAGES * S::stage + (31 - row) * 8;
        for (int w = 0; w < 8; ++w) sum = __dp4a(x[w], y[w], sum);
        __syncthreads();
    }
    c[threadIdx.x] = sum;
}
void multiply(const int *a, const int *b, int *c, int kwords)
{
    bytes<3><<<1, 256, 3 * 2 * 256 * sizeof(int)>>>(a, b, c, kwords);
}
