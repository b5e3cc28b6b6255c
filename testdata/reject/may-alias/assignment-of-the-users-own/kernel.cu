// An operator= that stores elsewhere, and constructors and conversions that the
// text does not show.
struct Cell {
    float *p;
    __device__ Cell &operator=(float v)
    {
        *p = v;
        return *this;
    }
};
__device__ float *the_log;
struct Logged {
    float v;
    Logged() = default;
    __device__ Logged(float x) : v(x) { *the_log = x; }
};
__device__ float value_of(Logged x) { return x.v; }
__device__ float4 operator+(float4 a, float4 b)
{
    the_log[threadIdx.x] = a.x;
    return make_float4(a.x + b.x, a.y, a.z, a.w);
}
template <typename T> __device__ void set(T to, float v) { to = v; }

__global__ void smooth0(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        Cell cell{&from[(i + 1) * 64 + t]};
        cell = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth1(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    __shared__ float scale[64];
    Cell cell{&scale[t]};
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        cell = from[i];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        sum += scale[t ^ 3];
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth2(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        Logged last = sum;
        sum += last.v;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth3(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    Logged last;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        last = sum;
        sum += last.v;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth4(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        sum += value_of(sum);
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth5(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float4 all = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        all = all + make_float4(sum, 0.f, 0.f, 0.f);
        sum += all.x;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth6(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        set(Cell{&from[(i + 1) * 64 + t]}, sum);
        __syncthreads();
    }
    to[t] = sum;
}
