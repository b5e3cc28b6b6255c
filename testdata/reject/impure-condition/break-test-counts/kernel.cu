// Asking whether to leave also counts how often it was asked.
#define T 64

__global__ void budgeted(const float *__restrict__ x, float *__restrict__ y, int n, int budget)
{
    __shared__ float s[T];
    float sum = 0.f;
    int asked = 0;
    for (int k0 = 0; k0 < n; k0 += T) {
        if (++asked > budget)
            break;
        s[threadIdx.x] = x[k0 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[blockIdx.x * T + threadIdx.x] = sum + asked;
}
