// Members, and arguments that a call leaves out, that begin in braces with what a function
// of another class makes of it.
__device__ float *marks;
struct Mark {
    __device__ operator float() const
    {
        marks[threadIdx.x] = 8.f;
        return 1.f;
    }
};
struct Taken {
    float v;
    __device__ Taken(const Mark &m) : v{m} {}
};
struct Begun {
    float v{Mark{}};
    float w;
};
struct Row {
    float v[2] = {Mark{}, 1.f};
};
struct Pair {
    float a, b;
};
__device__ float first_of(Pair pair = {Mark{}, 1.f}) { return pair.a; }

__global__ void taken(const float *from, float *to, int n, int j0)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        sum += Taken(Mark{}).v;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void begun(const float *from, float *to, int n, int j0)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        Begun one;
        one.w = sum;
        sum += one.v;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void row(const float *from, float *to, int n, int j0)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        Row one{};
        sum += one.v[0];
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void left_out(const float *from, float *to, int n, int j0)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        sum += first_of();
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void given(const float *from, float *to, int n, int j0)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ t);
        sum += first_of({float(j0), 1.f});
        __syncthreads();
    }
    to[t] = sum;
}
