__global__ void row_dot(const float *__restrict__ x, float *__restrict__ out, int tiles, int n)
{
    __shared__ float tile[64];
    const int t = threadIdx.x;
    float acc = 0.f;

    for (int k = 0; k < tiles; ++k) {
        if (k * 64 + t >= n)
            asm("trap;");
        tile[t] = x[k * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            acc += tile[j] * (float)(j + t);
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = acc;
}
