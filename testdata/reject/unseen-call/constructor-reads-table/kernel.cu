// The constructor reads a weight that the compute phase changes: what it makes hangs on the tile before.
__device__ float weight[4] = {1.f, 2.f, 3.f, 4.f};

struct sample {
    float value, scale;
    __device__ sample() : value(0.f), scale(weight[0]) { }
};

__global__ void decayed_sum(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.f;
    for (int i = 0; i < n; i += 64) {
        sample s;
        s.value = a[i + threadIdx.x];
        tile[threadIdx.x] = s.value * s.scale;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j] * (j + threadIdx.x);
        __syncthreads();
        if (threadIdx.x == 0)
            weight[0] *= 0.5f;
    }
    y[threadIdx.x] = sum;
}
