// What the constructors call does more than to compute from its arguments: it counts, or
// asks the other lanes.
__device__ int narrowed;

__device__ inline unsigned char counted(float value)
{
    atomicAdd(&narrowed, 1);
    return value;
}

struct tallied {
    unsigned char bits;

    tallied() = default;
    __device__ tallied(float value) : bits(counted(value)) {}
};

__global__ void tallies(const float *__restrict__ values, float *__restrict__ out, int n)
{
    __shared__ tallied tile[64];
    float sum = 0;
    for (int first = 0; first < n; first += 64) {
        tile[threadIdx.x] = tallied(values[first + threadIdx.x]);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j].bits * j;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

struct agreed {
    float value;

    agreed() = default;
    __device__ agreed(float own) : value(__shfl_sync(0xffffffff, own, 0)) {}
};

__global__ void agreements(const float *__restrict__ values, float *__restrict__ out, int n)
{
    __shared__ agreed tile[64];
    float sum = 0;
    for (int first = 0; first < n; first += 64) {
        if (first + threadIdx.x < n)
            tile[threadIdx.x] = agreed(values[first + threadIdx.x]);
        __syncthreads();
        for (int j = 0; j < min(64, n - first); ++j)
            sum += tile[j].value * j;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
