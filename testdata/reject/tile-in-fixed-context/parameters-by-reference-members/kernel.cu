// How many tiles there are, and where they lie, is a parameter that an object's member names: what is stored by way of
// the member, or read, is the parameter's.
template <class T>
struct Bound {
    T of;
    __device__ void stop() { of = 0; }
};

__global__ void stops(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    Bound<int &> tiles{n};
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        if (s[0] > 3.f)
            tiles.of = 0;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void shifts(const float *__restrict__ x, float *__restrict__ y, int n, int first)
{
    __shared__ float s[64];
    float sum = 0.f;
    Bound<int &> place{first};
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[(first + t) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        if (sum > 3.f)
            place.stop();
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// A member that is a value is one.
__global__ void holds(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    Bound<int> tiles{n};
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        if (s[0] > 3.f)
            tiles.of = 0;
        __syncthreads();
    }
    y[threadIdx.x] = sum + tiles.of;
}
