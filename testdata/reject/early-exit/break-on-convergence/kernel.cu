// Residual test inside a tiled dot product: the whole block leaves early.
#define TB 128

__global__ void early_dot(const float *__restrict__ u, const float *__restrict__ v,
                          const int *__restrict__ cancelled,
                          float *__restrict__ res, int n)
{
    __shared__ float su[TB];
    __shared__ float sv[TB];
    float r = 0.f;

    for (int i = 0; i < n; i += TB) {
        su[threadIdx.x] = u[i + threadIdx.x];
        sv[threadIdx.x] = v[i + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < TB; ++j)
            r += su[j] * sv[(j + threadIdx.x) % TB];
        __syncthreads();
        if (cancelled[blockIdx.x])
            break;
    }
    res[blockIdx.x * TB + threadIdx.x] = r;
}
