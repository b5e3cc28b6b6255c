// The last warp only keeps count: it takes part in the barriers and leaves.
__global__ void __launch_bounds__(160)
dot_with_clerk(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ out,
               int tiles)
{
    __shared__ float tile[128];
    __shared__ int done;
    const int t = threadIdx.x;
    if (t >= 128) {
        for (int k = 0; k < tiles; ++k) {
            __syncthreads();
            if (t == 128)
                done = k + 1;
            __syncthreads();
        }
        return;
    }
    float acc = 0.f;
    for (int k = 0; k < tiles; ++k) {
        tile[t] = x[k * 128 + t];
        __syncthreads();
        for (int j = 0; j < 128; ++j)
            acc += tile[j] * w[j * 128 + t];
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = acc / done;
}
