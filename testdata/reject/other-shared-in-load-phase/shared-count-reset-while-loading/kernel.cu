// `hits` is cleared in the load phase and counted up in the compute phase.
__global__ void matches_per_tile(const int *__restrict__ a, const int *__restrict__ keys,
                                 int *__restrict__ most, int tiles)
{
    __shared__ int s[64];
    __shared__ int hits[64];
    const int i = threadIdx.x;
    int m = 0;
    for (int t = 0; t < tiles; ++t) {
        hits[i] = 0;
        s[i] = a[t * 64 + i];
        __syncthreads();
        if (s[i] == keys[i]) hits[(i * 7) % 64] = s[63 - i];
        __syncthreads();
        m = max(m, hits[63 - i]);
        __syncthreads();
    }
    most[blockIdx.x * 64 + i] = m;
}
