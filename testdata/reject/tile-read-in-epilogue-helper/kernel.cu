__device__ float corner(const float (&t)[8][32], int r)
{
    return t[r][0] + t[7 - r][31];
}

__global__ void strip_sum(const float *__restrict__ in, float *__restrict__ out, int strips)
{
    __shared__ float strip[8][32];
    const int c = threadIdx.x, r = threadIdx.y;
    float s = 0.f;
    int k = 0;
    while (k < strips) {
        strip[r][c] = in[(k * 8 + r) * 32 + c];
        __syncthreads();
        s += strip[7 - r][31 - c];
        __syncthreads();
        ++k;
    }
    if (k > 0) s -= corner(strip, r);
    out[(blockIdx.x * 8 + r) * 32 + c] = s;
}
