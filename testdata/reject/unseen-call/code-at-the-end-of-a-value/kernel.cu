// Destructors of values that have no name, and copies that run code.
namespace logs {
struct Last {
    float *p;
    float v;
    __device__ ~Last() { *p = v; }
};
struct Copied {
    float *p;
    __device__ Copied(float *q) : p(q) {}
    __device__ Copied(const Copied &other) : p(other.p) { *p = 1.f; }
};
struct Holder {
    Last last;
};
} // namespace logs
__device__ float value_of(logs::Copied x) { return 1.f; }
__device__ logs::Last last_of(float *p, float v) { return {p, v}; }

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
        logs::Last{&from[(i + 1) * 64 + t], sum};
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth1(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        logs::Last last{&from[(i + 1) * 64 + t], sum};
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
        sum += last_of(&from[(i + 1) * 64 + t], sum).v;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth3(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    logs::Copied kept(from);
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        sum += value_of(kept);
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
        logs::Holder{{&from[(i + 1) * 64 + t], sum}};
        __syncthreads();
    }
    to[t] = sum;
}
