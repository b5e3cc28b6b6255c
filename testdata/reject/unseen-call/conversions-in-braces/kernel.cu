// What stands in braces becomes another value by a function of its class, of which
// clang shows nothing there: it stores, or it hangs on the thread.
struct Mark {
    float *at;
    __device__ operator float() const
    {
        *at = 8.f;
        return 1.f;
    }
};
struct Named : Mark {
};
struct Any {
    float *at;
    template <class V> __device__ operator V() const
    {
        *at = 6.f;
        return V(1);
    }
};
struct Warp {
    __device__ operator int() const { return (int)threadIdx.x / 32; }
};
struct Pair {
    float a, b;
};
__device__ Mark mark_at(float *at) { return Mark{at}; }
template <class V> __device__ float first_of(V v)
{
    float two[2] = {v, 1.f};
    return two[0];
}

__global__ void rows0(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f, *next = from + 64 + t;
    Mark mark{from};
    for (int i = 0; i < n; ++i, next += 64) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        mark.at = next;
        Pair pair = {mark, 2.f};
        sum += pair.b;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void rows1(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f, *next = from + 64 + t;
    Mark mark{from};
    for (int i = 0; i < n; ++i, next += 64) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        mark.at = next;
        float two[2] = {mark, 2.f};
        sum += two[1];
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void rows2(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f, *next = from + 64 + t;
    Mark mark{from};
    for (int i = 0; i < n; ++i, next += 64) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        mark.at = next;
        float one{mark};
        sum += one;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void rows3(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f, *next = from + 64 + t;
    Named mark{{from}};
    for (int i = 0; i < n; ++i, next += 64) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        mark.at = next;
        sum += Pair{mark, 2.f}.b;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void rows4(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f, *next = from + 64 + t;
    Any mark{from};
    for (int i = 0; i < n; ++i, next += 64) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        mark.at = next;
        Pair pair;
        pair = {2.f, mark};
        sum += pair.a;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void rows5(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f, *next = from + 64 + t;
    
    for (int i = 0; i < n; ++i, next += 64) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        if (float one{mark_at(next)}; one > 0.f)
            sum += one;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void rows6(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f, *next = from + 64 + t;
    Mark mark{from};
    for (int i = 0; i < n; ++i, next += 64) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        mark.at = next;
        sum += first_of(mark);
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void rows7(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f, *next = from + 64 + t;
    int m{Warp{}};
    for (int i = 0; i < n + m; ++i, next += 64) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void rows8(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f, *next = from + 64 + t;
    Mark mark{from};
    for (int i = 0; i < n; ++i, next += 64) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        mark.at = next;
        float two[2] = {float(mark), 2.f};
        sum += two[1];
        __syncthreads();
    }
    to[t] = sum;
}
