#define T 32

struct Count {
    int m;
    __device__ void set(int v) { m = v; }
    __device__ int get() const { return m; }
};

// A method sets what another one of the object says, between the load and its use.
__global__ void by_method(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += T) {
        Count q;
        q.set(min(T, n - b));
        if (t < q.get())
            s[t] = x[b + t];
        __syncthreads();
        q.set(T);
        for (int j = 0; j < q.get(); ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

// Another thread says how many there are: all that an earlier tile had.
__global__ void by_thread(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    __shared__ int count;
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += T) {
        const int m = min(T, n - b);
        if (t == 0)
            count = T;
        if (t < m)
            s[t] = x[b + t];
        __syncthreads();
        for (int j = 0; j < count; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}

// The guard names a part of a record by another name.
__global__ void by_second_name(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += T) {
        Count q;
        q.m = min(T, n - b);
        const int &m = q.m;
        if (t < m)
            s[t] = x[b + t];
        __syncthreads();
        q.m = T;
        for (int j = 0; j < m; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}
