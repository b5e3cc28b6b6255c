// The second ring begins where the first one's second buffer does.
extern __shared__ float dyn[];
__global__ void __launch_bounds__(64) carve(const float *a, const float *b, float *out, int n)
{
    float *as = dyn, *bs = dyn + 64;
    const int i = threadIdx.x;
    float acc = 0;
    if (n > 0) { as[i] = a[i]; bs[i] = b[i]; }
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        const int now = (k & 1) * 64, next = 64 - now;
        if (k + 1 < n) { as[next + i] = a[(k + 1) * 64 + i]; bs[next + i] = b[(k + 1) * 64 + i]; }
        acc += as[now + 63 - i] * bs[now + (i ^ 1)];
        __syncthreads();
    }
    out[i] = acc;
}
