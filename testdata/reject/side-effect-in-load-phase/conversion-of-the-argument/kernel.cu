// What a template takes for a number may be an object that its arguments make a
// number of, by code of theirs.
struct Reading {
    float value;

    __device__ operator float() const;
};

__device__ int readings;

__device__ Reading::operator float() const
{
    readings = readings + 1;
    return value;
}

template <class V>
__global__ void by_local(const V *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        float v = from[i * 64 + t];
        row[t] = v;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        __syncthreads();
    }
    to[t] = sum;
}

template <class V>
__global__ void by_cast(const V *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = static_cast<float>(from[i * 64 + t]);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        __syncthreads();
    }
    to[t] = sum;
}

template <class V>
__device__ float number(const V *v)
{
    return *v;
}

template <class V>
__global__ void by_return(const V *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        float v = number(&from[i * 64 + t]);
        row[t] = v;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        __syncthreads();
    }
    to[t] = sum;
}

template <class V>
__global__ void by_question(const V *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        float v = 0.f;
        if (from[i * 64 + t])
            v = 1.f;
        row[t] = v;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        __syncthreads();
    }
    to[t] = sum;
}

template <class V>
__global__ void of_numbers(const V *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        float v = from[i * 64 + t];
        row[t] = v;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        __syncthreads();
    }
    to[t] = sum;
}

void run(const Reading *x, const int *y, float *to, int n)
{
    by_local<<<1, 64>>>(x, to, n);
    by_cast<<<1, 64>>>(x, to, n);
    by_return<<<1, 64>>>(x, to, n);
    by_question<<<1, 64>>>(x, to, n);
    of_numbers<<<1, 64>>>(y, to, n);
}
