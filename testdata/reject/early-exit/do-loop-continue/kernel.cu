// A do loop that passes tiles over at its head: continue goes to the condition at the end.
#define T 64

__global__ void do_skip(const float *__restrict__ x, const int *__restrict__ mask,
                        float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int t = 0;
    do {
        if (mask[t] == 0)
            continue;
        s[threadIdx.x] = x[t * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    } while (++t < tiles);
    y[blockIdx.x * T + threadIdx.x] = sum;
}
