// Objects of class templates whose end, or whose copy, moves what the loads read: clang shows of an implicit
// instantiation its fields alone.
template <class T>
struct AtEnd {
    T &at;
    __device__ ~AtEnd() { at += 2; }
};

template <class T>
struct Copied {
    T *at;
    __device__ explicit Copied(T *a) : at(a) {}
    __device__ Copied(const Copied &other) : at(other.at) { *at += 2; }
};

template <class T>
__device__ float weigh(Copied<T> by, float x)
{
    return x;
}

__global__ void ends(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    int at = 0;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[(at + t) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        if (sum > 3.f)
            AtEnd<int>{at};
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void copies(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    int at = 0;
    Copied<int> by(&at);
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[(at + t) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        sum += weigh(by, sum);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
