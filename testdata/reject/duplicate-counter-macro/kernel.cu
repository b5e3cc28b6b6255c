#define CAT_(a, b) a##b
#define CAT(a, b)  CAT_(a, b)
#define TMP        CAT(tmp_, __COUNTER__)

// Each expansion of __COUNTER__ has to stay the one it is: the numbers select
// the bank that a load goes to.
__global__ void banked_sum(const int *__restrict__ in, int *__restrict__ out, int n)
{
    __shared__ int even[128];
    __shared__ int odd[128];
    int sum = 0;
    for (int i = 0; i < n; i += 256) {
        even[threadIdx.x] = in[i + 2 * threadIdx.x + (__COUNTER__ & 1)];
        odd[threadIdx.x] = in[i + 2 * threadIdx.x + (__COUNTER__ & 1)];
        __syncthreads();
        const int TMP = even[127 - threadIdx.x] - odd[threadIdx.x ^ 1];
        sum += tmp_2;
        __syncthreads();
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}
