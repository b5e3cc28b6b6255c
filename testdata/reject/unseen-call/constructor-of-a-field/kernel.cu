// A template's constructor hands on what it is given; that of the field reads what compute changes.
__device__ float weight[4] = {1.f, 2.f, 3.f, 4.f};

struct weighted {
    float value;
    weighted() = default;
    __device__ weighted(float v) : value(v * weight[0]) { }
};

template <class T>
struct holder {
    T held;
    holder() = default;
    __device__ holder(float v) : held(v) { }
};

__global__ void decayed_sum(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.f;
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = holder<weighted>(a[i + threadIdx.x]).held.value;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j] * (j + threadIdx.x);
        __syncthreads();
        if (threadIdx.x == 0)
            weight[0] *= 0.5f;
    }
    y[threadIdx.x] = sum;
}
