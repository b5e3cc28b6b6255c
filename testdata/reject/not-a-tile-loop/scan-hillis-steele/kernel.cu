#define N 512

__global__ void inclusive_scan(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int temp[2 * N];
    int tid = threadIdx.x;
    int pout = 0, pin = 1;
    temp[tid] = in[blockIdx.x * N + tid];
    __syncthreads();
    for (int offset = 1; offset < N; offset <<= 1) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (tid >= offset)
            temp[pout * N + tid] = temp[pin * N + tid] + temp[pin * N + tid - offset];
        else
            temp[pout * N + tid] = temp[pin * N + tid];
        __syncthreads();
    }
    out[blockIdx.x * N + tid] = temp[pout * N + tid];
}
