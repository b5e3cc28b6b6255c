// Leaves once the sum is large enough: what the break asks is what compute has made of the tile before.
#define T 64

__global__ void until_large(const float *__restrict__ x, float *__restrict__ y, float limit, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    int k0 = 0;
    while (true) {
        if (k0 >= n || sum > limit)
            break;
        s[threadIdx.x] = x[k0 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
        k0 += T;
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
