struct Source {
    __device__ virtual float fetch(int i) = 0;
    __device__ virtual ~Source() {}
};

__global__ void sum_source(Source *src, float *__restrict__ out, int tiles)
{
    __shared__ float v[64];
    float s = 0.f;
    for (int t = 0; t < tiles; ++t) {
        v[threadIdx.x] = src->fetch(t * 64 + threadIdx.x);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            s += v[j] * (j & threadIdx.x ? 1.f : -1.f);
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = s;
}
