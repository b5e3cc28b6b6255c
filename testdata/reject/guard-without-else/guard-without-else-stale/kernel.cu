// The last tile is ragged. Where nothing is loaded the cells keep the previous
// tile, and the sum below reads them all the same.
#define BLOCK 128

__global__ void stale_tail(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[BLOCK];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int base = 0; base < n; base += BLOCK) {
        if (base + t < n)
            s[t] = x[base + t];
        __syncthreads();
        for (int j = 0; j < BLOCK; ++j)
            sum += s[j] * (float)((j ^ t) + 1);
        __syncthreads();
    }
    out[blockIdx.x * BLOCK + t] = sum;
}
