// One call stores the element and updates a running norm through a reference.
__device__ __forceinline__ float keep(float v, float &norm)
{
    norm += v * v;
    return v;
}

template <int BLOCK>
__global__ void project(const float *__restrict__ a, const float *__restrict__ basis,
                        float2 *__restrict__ out, int n)
{
    __shared__ float tile[BLOCK];
    float norm = 0.f, dot = 0.f;
    for (int k = 0; k < n; k += BLOCK) {
        tile[threadIdx.x] = keep(a[k + threadIdx.x], norm);
        __syncthreads();
        for (int j = 0; j < BLOCK; ++j)
            dot += tile[j] * basis[(blockIdx.x * BLOCK + threadIdx.x) * n + k + j];
        __syncthreads();
    }
    out[blockIdx.x * BLOCK + threadIdx.x] = make_float2(norm, dot);
}

template __global__ void project<128>(const float *, const float *, float2 *, int);
