// The rows that the loads ask for are listed beside the tile, and compute lists others by a
// second name of the same bytes.
__global__ void gather(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float smem[];
    float *tile = smem;
    int *rows = (int *)(smem + 1024);
    int *next = (int *)smem + 1024;
    const int tx = threadIdx.x;
    rows[tx] = tx % 16;
    __syncthreads();
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < 16; ++i)
            tile[i * 64 + tx] = x[rows[i] * 64 + tx];
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += tile[i * 64 + (tx ^ 1)];
        next[tx] = (tx * 7 + k) % 64;
        __syncthreads();
    }
    out[tx] = sum;
}

// A part of the list is enough.
__global__ void gather_some(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float smem[];
    float *tile = smem;
    int *rows = (int *)(smem + 1024);
    int *last = rows + 15;
    const int tx = threadIdx.x;
    rows[tx] = tx % 16;
    __syncthreads();
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < 16; ++i)
            tile[i * 64 + tx] = x[rows[i] * 64 + tx];
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += tile[i * 64 + (tx ^ 1)];
        if (tx == 0)
            *last = k % 16;
        __syncthreads();
    }
    out[tx] = sum;
}

void run(const float *x, float *out, int n)
{
    gather<<<1, 64, 4096 + 256>>>(x, out, n);
    gather_some<<<1, 64, 4096 + 256>>>(x, out, n);
}
