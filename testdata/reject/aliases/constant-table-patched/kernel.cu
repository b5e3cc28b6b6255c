// The window lies in constant memory, and the kernel writes the next tile's coefficients there through a cast.
__constant__ float window[4096];

__global__ void adaptive_filter(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float w[64];
    float *patch = (float *)window;
    float acc = 0.0f;
    for (int i = 0; i < n; i += 64) {
        w[threadIdx.x] = window[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            acc += w[k] * x[i + k];
        patch[(i + 64 + threadIdx.x) & 4095] = acc;
        __syncthreads();
    }
    y[threadIdx.x] = acc;
}
