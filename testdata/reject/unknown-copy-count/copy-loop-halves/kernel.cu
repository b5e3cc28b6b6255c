// The copy loop's variable doubles: no step leads to its bound.
__global__ void __launch_bounds__(64)
octaves(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float level[256];
    const int t = threadIdx.x;
    float s = 0.f;
    for (int k = 0; k < tiles; ++k) {
        int i = t + 1;
        while (i < 256) {
            level[i] = x[k * 256 + i];
            i *= 2;
        }
        __syncthreads();
        s += level[t + 1] * level[2 * t + 2 < 256 ? 2 * t + 2 : 1];
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = s;
}
