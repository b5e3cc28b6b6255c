// A template that waits in an arm of its own: the text has both arms.
template <int N>
__device__ void fill(float *s, const float *x)
{
    if constexpr (N > 4) {
        s[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
    } else {
        s[threadIdx.x] = x[0];
    }
}

__global__ void arms(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int i = 0; i < n; i += 64) {
        fill<8>(s, x + i);
        for (int q = 0; q < 64; ++q) sum += s[q] * q;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// Waits where a thread is told to.
struct stage {
    static __device__ void load(float *s, const float *x, bool wait)
    {
        s[threadIdx.x] = x[threadIdx.x];
        if (wait) __syncthreads();
    }
};

__global__ void some_wait(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int i = 0; i < n; i += 64) {
        stage::load(s, x + i, threadIdx.x < 32);
        for (int q = 0; q < 64; ++q) sum += s[q] * q;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// What the template is told is worked out at the call.
template <int N>
__device__ void strided(float *s, const float *x, int at)
{
    s[threadIdx.x] = x[at * N + threadIdx.x];
    __syncthreads();
}

template <int A>
__global__ void worked_out(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int i = 0; i < n; i += 64) {
        strided<A + 1>(s, x, i);
        for (int q = 0; q < 64; ++q) sum += s[q] * q;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

template __global__ void worked_out<3>(const float *, float *, int);
