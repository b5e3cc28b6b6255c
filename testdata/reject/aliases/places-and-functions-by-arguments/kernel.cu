// Variables and functions that are arguments: of each instantiation the ones that it names.
__device__ int cursor;
__device__ float older[256], newer[256];

__device__ int straight(int t) { return t; }
__device__ int counted(int t) { return cursor++ + t; }
__device__ float kept(float v) { return v; }
__device__ float moving(float v)
{
    if (threadIdx.x == 0)
        cursor = v > 3.f;
    return v;
}

// A function that moves what the loads read, in one of two.
template <float (*Post)(float)>
__global__ void by_function(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[(cursor + t) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        sum = Post(sum);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void by_function<kept>(const float *, float *, int);
template __global__ void by_function<moving>(const float *, float *, int);

// A function that counts, where the loads call it.
template <int (*Tile)(int)>
__global__ void by_tile(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[Tile(t) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void by_tile<straight>(const float *, float *, int);
template __global__ void by_tile<counted>(const float *, float *, int);

// A device function's argument that is the variable which the loads read.
template <int &Of>
__device__ void move(float by)
{
    Of = by > 3.f;
}

__global__ void by_variable(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[(cursor + t) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        if (threadIdx.x == 0)
            move<cursor>(s[0]);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The same, of an array that no load reads.
template <float (&To)[256]>
__device__ void keep(int t, float v)
{
    To[(t * 64 + threadIdx.x) & 255] = v;
}

__global__ void beside(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = older[(t & 3) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        keep<newer>(t, sum);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
