__device__ float corner(const float (&t)[8][32], int r)
{
    return t[r][0] + t[7 - r][31];
}

// Called once for each half: the second call finds in the tile what the first left.
__device__ float strip_sum(const float *__restrict__ in, int strips)
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
    return s - corner(strip, r);
}

__global__ void strip_sums(const float *__restrict__ in, float *__restrict__ out, int upper, int lower)
{
    float s = strip_sum(in, upper);
    __syncthreads();
    s += strip_sum(in + upper * 256, lower);
    out[(blockIdx.x * 8 + threadIdx.y) * 32 + threadIdx.x] = s;
}
