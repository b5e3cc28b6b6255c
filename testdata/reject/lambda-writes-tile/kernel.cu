// The lambda changes a cell that other threads go on to read.
__global__ void damped_sum(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float tile[64];
    const int t = threadIdx.x;
    float acc = 0.f;

    for (int k = 0; k < tiles; ++k) {
        tile[t] = x[k * 64 + t];
        __syncthreads();
        auto damp = [&](int j) { tile[j] *= 0.5f; };
        damp(t);
        acc += tile[t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = acc;
}

// This one only reads.
__global__ void weighted_sum(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float tile[64];
    const int t = threadIdx.x;
    float acc = 0.f;

    for (int k = 0; k < tiles; ++k) {
        tile[t] = x[k * 64 + t];
        __syncthreads();
        auto at = [&](int j) { return tile[j] * 0.5f; };
        for (int j = 0; j < 64; ++j)
            acc += at(j) * (float)(j + t);
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = acc;
}
