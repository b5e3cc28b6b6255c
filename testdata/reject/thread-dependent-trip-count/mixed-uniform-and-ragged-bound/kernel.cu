// The same loop twice: `end` is the block's in the first, the thread's in the
// second.
template <typename I>
__global__ void csr_block_bound(const I *__restrict__ ptr, const float *__restrict__ val,
                                float *__restrict__ y)
{
    __shared__ float v[64];
    float s = 0.f;
    const I begin = ptr[blockIdx.x], end = ptr[blockIdx.x + 1];
    for (I i = begin; i < end; i += 64) {
        v[threadIdx.x] = i + (I)threadIdx.x < end ? val[i + threadIdx.x] : 0.f;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            s += v[j] * (float)((j + threadIdx.x) & 7);
        __syncthreads();
    }
    y[blockIdx.x * 64 + threadIdx.x] = s;
}

template <typename I>
__global__ void csr_thread_bound(const I *__restrict__ ptr, const float *__restrict__ val,
                                 float *__restrict__ y)
{
    __shared__ float v[64];
    float s = 0.f;
    const I begin = ptr[blockIdx.x], end = ptr[blockIdx.x + 1 + threadIdx.x / 32];
    for (I i = begin; i < end; i += 64) {
        v[threadIdx.x] = i + (I)threadIdx.x < end ? val[i + threadIdx.x] : 0.f;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            s += v[j] * (float)((j + threadIdx.x) & 7);
        __syncthreads();
    }
    y[blockIdx.x * 64 + threadIdx.x] = s;
}

template __global__ void csr_block_bound<int>(const int *, const float *, float *);
template __global__ void csr_thread_bound<int>(const int *, const float *, float *);
