// The numbers select the bank that a load goes to: two neighbours, whatever the
// counter stands at. A second expansion would be another pair.
#define NEXT_BANK (__COUNTER__ & 1)

__global__ void banked_sum(const int *__restrict__ in, int *__restrict__ out, int n)
{
    __shared__ int even[128];
    __shared__ int odd[128];
    int sum = 0;
    for (int i = 0; i < n; i += 256) {
        even[threadIdx.x] = in[i + 2 * threadIdx.x + NEXT_BANK];
        odd[threadIdx.x] = in[i + 2 * threadIdx.x + NEXT_BANK];
        __syncthreads();
        sum += even[127 - threadIdx.x] - odd[threadIdx.x ^ 1];
        __syncthreads();
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}
