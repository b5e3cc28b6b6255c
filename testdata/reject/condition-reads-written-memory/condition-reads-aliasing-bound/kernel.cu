// `*count` and `out` are both int, and nothing keeps them apart.
__global__ void clamp_stream(const int *__restrict__ in, const int *count, int *out, int lo, int hi)
{
    __shared__ int s[128];
    const int t = threadIdx.x;
    int i = 0;
    while (i < *count) {
        s[t] = in[i * 128 + t];
        __syncthreads();
        out[i * 128 + t] = min(max(s[127 - t], lo), hi);
        __syncthreads();
        ++i;
    }
}
