// 32 threads fill 8192 bytes one by one: 256 values in flight each.
__global__ void __launch_bounds__(32)
one_warp_lookup(const signed char *__restrict__ w, const int *__restrict__ ix,
                int *__restrict__ out, int tiles)
{
    __shared__ signed char table[8192];
    const int lane = threadIdx.x;
    int acc = 0;
    for (int t = 0; t < tiles; ++t) {
#pragma unroll
        for (int i = 0; i < 256; ++i)
            table[(i * 32 + lane) ^ 1] = w[t * 8192 + i * 32 + lane];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            acc += table[(ix[i] + lane * 3) & 8191];
        __syncthreads();
    }
    out[blockIdx.x * 32 + lane] = acc;
}
