// A barrier for half of the block.
__global__ void __launch_bounds__(128) rows_dot(const float *m, const float *x, float *y, int n)
{
    __shared__ float buf0[128], buf1[128];
    float *now = buf0, *next = buf1;
    const int tid = threadIdx.x;
    const float *row = m + (size_t)blockIdx.x * n;
    float acc = 0;
    int left = n / 128;
    if (left)
        now[tid] = x[tid];
    __syncthreads();
    for (int base = 0; left > 0; base += 128, --left) {
        if (left > 1)
            next[tid] = x[base + 128 + tid];
        if (tid < 64)
            __syncthreads();
        for (int i = 0; i < 128; i += 4)
            acc += now[(tid + i) % 128] * row[base + (tid + i) % 128];
        __syncthreads();
        float *t = now;
        now = next;
        next = t;
    }
    atomicAdd(&y[blockIdx.x], acc);
}
