#define BS 16

// Yesterday's work: done by hand.
__global__ void conv_row_pipelined(const float *__restrict__ x, const float *__restrict__ w,
                                   float *__restrict__ y, int tiles)
{
    __shared__ float buf[2][BS * BS];
    const int t = threadIdx.x;
    float s = 0.f;

    buf[0][t] = x[t];
    __syncthreads();
    for (int k = 0; k < tiles; ++k) {
        const int now = k & 1;
        if (k + 1 < tiles)
            buf[now ^ 1][t] = x[(k + 1) * BS * BS + t];
        for (int j = 0; j < BS; ++j)
            s += w[j] * buf[now][(t + j) % (BS * BS)];
        __syncthreads();
    }
    y[blockIdx.x * BS * BS + t] = s;
}

// Today's work: as it came.
__global__ void conv_row(const float *__restrict__ x, const float *__restrict__ w,
                         float *__restrict__ y, int tiles)
{
    __shared__ float buf[BS * BS];
    const int t = threadIdx.x;
    float s = 0.f;

    for (int k = 0; k < tiles; ++k) {
        buf[t] = x[k * BS * BS + t];
        __syncthreads();
        for (int j = 0; j < BS; ++j)
            s += w[j] * buf[(t + j) % (BS * BS)];
        __syncthreads();
    }
    y[blockIdx.x * BS * BS + t] = s;
}
