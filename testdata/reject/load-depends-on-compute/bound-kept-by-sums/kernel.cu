// A bound that a branch sets, by what compute has summed up.
__global__ void __launch_bounds__(32) sums(const float* __restrict__ x, float* __restrict__ out, int n)
{
    __shared__ float s[32];
    float sum = 0;
    int stop = n;
    for (int k = 0; k < stop; k += 32) {
        if (sum > 8.0f)
            stop = k + 32;
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 32; j++)
            sum += s[j];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
