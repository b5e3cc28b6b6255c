// The compute part asks for the tile's number under another name, which is that
// of the loads' own number where the loop is rewritten.
__device__ int &same(int &number)
{
    return number;
}

struct Progress {
    const int *now;

    __device__ void watch(const int &number) { now = &number; }
};

template <class T>
struct View {
    const T *at;
};

template <class T>
__device__ View<T> view_of(const T &object)
{
    return View<T>{&object};
}

__global__ void by_branch(const float *__restrict__ x, float *__restrict__ y,
                          int tiles, bool weighted)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int k = 0, one = 1;
    const int &weight = weighted ? k : one;
    for (; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += weight * tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_cast(const float *__restrict__ x, float *__restrict__ y,
                        int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int k = 0;
    const unsigned &weight = reinterpret_cast<const unsigned &>(k);
    for (; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += weight * tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_call(const float *__restrict__ x, float *__restrict__ y,
                        int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int k = 0;
    const int &weight = same(k);
    for (; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += weight * tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_method(const float *__restrict__ x, float *__restrict__ y,
                          int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int k = 0;
    Progress progress;
    progress.watch(k);
    for (; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += *progress.now * tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_template(const float *__restrict__ x, float *__restrict__ y,
                            int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int k = 0;
    auto weight = view_of(k);
    for (; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += *weight.at * tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_lambda(const float *__restrict__ x, float *__restrict__ y,
                          int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int k = 0;
    const int *weight;
    auto watch = [&](const int &number) { weight = &number; };
    watch(k);
    for (; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += *weight * tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_builtin(const float *__restrict__ x, float *__restrict__ y,
                           int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int k = 0;
    const int *weight = __builtin_addressof(k);
    for (; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += *weight * tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// Only a copy of the number: no other name.
__device__ int smaller(const int &a, const int &b)
{
    return b < a ? b : a;
}

__global__ void by_value(const float *__restrict__ x, float *__restrict__ y,
                         int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        const int &weight = smaller(k, 8);
        for (int j = 0; j < 64; ++j)
            sum += weight * tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
