// The counter of the copy loop gets another value behind it, and keeps that behind
// the tile loop: the store, which counts again, would take it back.
__global__ void last_counter(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    __shared__ float u[8];
    int i, t;
    float acc = 0;
    const int x = threadIdx.x;
    for (t = 0; t < n; t++) {
        for (i = 0; i < 64; i += 8)
            s[i + x] = a[t * 64 + i + x];
        u[x] = b[t * 8 + x + i - 64];
        i = 5;
        __syncthreads();
        for (int q = 0; q < 64; q++)
            acc += s[q] * u[(q + x) & 7];
        __syncthreads();
    }
    o[x] = acc;
    if (n && x == 0)
        o[8] = i;
}
