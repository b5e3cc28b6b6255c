// What one of the lambdas does with a feature changes what the next tile is made of.
__device__ float weights[4096];

template <typename Core>
__device__ void weighted(const float *__restrict__ rows, float *__restrict__ out, int width, Core core)
{
    __shared__ float r[64];
    float sum = 0;
    for (int k = 0; k < width; k += 64) {
        r[threadIdx.x] = rows[k + threadIdx.x] * weights[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            core(sum, r[i], k + 64 + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void plain(const float *rows, float *out, int width)
{
    weighted(rows, out, width, [](float &sum, float a, int) { sum += a; });
}

__global__ void learning(const float *rows, float *out, int width)
{
    weighted(rows, out, width, [](float &sum, float a, int at) { sum += a; weights[at] = sum; });
}
