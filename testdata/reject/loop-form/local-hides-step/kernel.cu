// A local of the branch has the name of the variable that the step behind the branch moves.
#define T 64

__global__ void hidden(const float *__restrict__ x, const int *__restrict__ mask,
                       float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int t = 0, i = 0;
    while (t < tiles) {
        if (mask[t]) {
            const int i = threadIdx.x;
            s[i] = x[t * T + i];
            __syncthreads();
            for (int j = 0; j < T; ++j)
                sum += s[j];
            __syncthreads();
        }
        ++t;
        ++i;
    }
    y[blockIdx.x * T + threadIdx.x] = sum + i;
}

__global__ void hidden_end(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    int k = 0, i = n;
    do {
        const int i = threadIdx.x;
        s[i] = x[k + i];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
        k += T;
    } while (k < i);
    y[blockIdx.x * T + threadIdx.x] = sum;
}
