__global__ void doubled_in_place(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[4][16];
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        s[threadIdx.x / 16][threadIdx.x % 16] = a[k * 64 + threadIdx.x];
        __syncthreads();
        for (float &v : s[threadIdx.x / 16])
            v = v * 0.5f + sum;
        __syncthreads();
        sum += s[0][threadIdx.x % 16];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void filled_by_one(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[16];
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        if (threadIdx.x == 0)
            for (float &v : s) v = a[k];
        __syncthreads();
        sum += s[threadIdx.x % 16];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

struct part {
    const float *p;
    int n;
    __device__ const float *begin() const { return p; }
    __device__ const float *end() const { return p + n; }
};

__global__ void own_iterators(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[16];
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        s[threadIdx.x] = a[k * 16 + threadIdx.x];
        __syncthreads();
        for (float v : part{s, 8}) sum += v;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
