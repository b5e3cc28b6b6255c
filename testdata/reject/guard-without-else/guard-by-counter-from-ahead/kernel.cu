#define T 32

// The counter is declared ahead of the loop, which sets it first: what the guard asks
// changes from tile to tile all the same.
__global__ void sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.f;
    int at;
    for (at = 0; at < n; at += T) {
        if (at + t < n)
            s[t] = x[at + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum + at;
}

// Where all cells are read that are there, they are.
__global__ void sums_of_some(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.f;
    int at;
    for (at = 0; at < n; at += T) {
        if (at + t < n)
            s[t] = x[at + t];
        __syncthreads();
        for (int j = 0; j < T && at + j < n; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum + at;
}
