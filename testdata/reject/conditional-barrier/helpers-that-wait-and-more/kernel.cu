// Functions that wait at barriers, whose text would mean something else at the call.
#define SPAN 64

// They leave it early.
__device__ void leaves(const float *from, float *span, float &sum, int at, int n)
{
    if (at >= n - SPAN)
        return;
    span[threadIdx.x] = from[at + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < SPAN; ++i)
        sum += span[i];
    __syncthreads();
}

__global__ void left_early(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float span[SPAN];
    float sum = 0.f;
    for (int at = 0; at < n; at += SPAN) {
        leaves(x, span, sum, at, n);
    }
    y[threadIdx.x] = sum;
}

// The caller knows another function by that name, and another number.
__device__ float scaled(float v) { return v * 0.5f; }
constexpr int offset = 3;

__device__ void by_names(const float *from, float *span, float &sum, int at)
{
    span[threadIdx.x] = from[at + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < SPAN; ++i)
        sum += scaled(i + offset) * span[i];
    __syncthreads();
}

__device__ float scaled(int v) { return v * 2.f; }

__global__ void other_names(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float span[SPAN];
    float sum = 0.f;
    const int offset = 5;
    for (int at = offset - 5; at < n; at += SPAN) {
        by_names(x, span, sum, at);
    }
    y[threadIdx.x] = sum;
}

// What it comes to is added to what it has changed.
__device__ float adds(const float *from, float *span, float *sum, int at)
{
    span[threadIdx.x] = from[at + threadIdx.x];
    __syncthreads();
    *sum *= 0.5f;
    float more = 0.f;
    for (int i = 0; i < SPAN; ++i)
        more += span[i];
    __syncthreads();
    return more;
}

__global__ void added(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float span[SPAN];
    float sum = 0.f;
    for (int at = 0; at < n; at += SPAN) {
        sum += adds(x, span, &sum, at);
    }
    y[threadIdx.x] = sum;
}

// Half of the threads wait.
__device__ void some(const float *from, float *span, float &sum, int at)
{
    span[threadIdx.x] = from[at + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < SPAN; ++i)
        sum += span[i];
    if (threadIdx.x < 32)
        __syncthreads();
}

__global__ void some_wait(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float span[SPAN];
    float sum = 0.f;
    for (int at = 0; at < n; at += SPAN) {
        some(x, span, sum, at);
    }
    y[threadIdx.x] = sum;
}

// As many wait as have not found it.
__global__ void some_found(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float span[SPAN];
    float sum = 0.f;
    bool found = false;
    for (int at = 0; at < n; at += SPAN) {
        span[threadIdx.x] = x[at + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < SPAN; ++i)
            sum += span[i];
        found = found || sum > threadIdx.x;
        if (!found)
            __syncthreads();
    }
    y[threadIdx.x] = sum;
}
