// A register in place of the loaded value would lead to the overload that takes variables.
#define T 64

__device__ inline void put(float &to, const float &value) { to = value; }
__device__ inline void put(float &to, float &value) { to = value + 1.f; }

template <class Value>
__device__ inline void keep(float &to, Value &&value)
{
    to = value + 1.f;
}
__device__ inline void keep(float &to, const float &value) { to = value; }

// By value or by address there is nothing to choose.
__device__ inline void write(float *to, float value) { *to = value; }
__device__ inline void write(int *to, float value) { *to = (int)value; }

__global__ void by_reference(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        put(s[threadIdx.x], x[t * T + threadIdx.x]);
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_template(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        keep(s[threadIdx.x], x[t * T + threadIdx.x]);
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_value(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    __shared__ int u[T];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        write(&s[threadIdx.x], x[t * T + threadIdx.x]);
        write(&u[threadIdx.x], x[t * T + threadIdx.x]);
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * u[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
