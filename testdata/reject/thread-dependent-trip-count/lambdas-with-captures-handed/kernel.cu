// Lambdas that a function is handed, whose captures are not what they were from tile to tile, or
// lead to what the loop stores to, or say how often it runs.
template <class Limit, class Load> __device__ float counts(Limit limit, Load load)
{
    __shared__ float s[64];
    float sum = 0;
    for (int k = 0; k < limit(); k += 64) {
        s[threadIdx.x] = load(k + threadIdx.x);
        __syncthreads();
        for (int i = 0; i < 64; ++i) sum += s[i] * i;
        __syncthreads();
    }
    return sum;
}
__global__ void own_count(const float *__restrict__ a, float *__restrict__ out, int n)
{
    const int mine = n + (threadIdx.x & 1) * 64;
    out[threadIdx.x] = counts([=] { return mine; }, [=](int i) { return a[i]; });
}

template <class Load, class Put> __device__ float stores(int n, Load load, Put put)
{
    __shared__ float s[64];
    float sum = 0;
    for (int k = 0; k < n; k += 64) {
        s[threadIdx.x] = load(k + threadIdx.x);
        __syncthreads();
        for (int i = 0; i < 64; ++i) sum += s[i] * i;
        put(k + 64 + threadIdx.x, sum);
        __syncthreads();
    }
    return sum;
}
__global__ void one_array(float *__restrict__ a, float *__restrict__ out, int n)
{
    out[threadIdx.x] = stores(n, [=](int i) { return a[i]; }, [=](int i, float v) { a[i] = v; });
}

template <class Load, class Step> __device__ float steps(int n, Load load, Step step)
{
    __shared__ float s[64];
    float sum = 0;
    for (int k = 0; k < n; k += 64) {
        s[threadIdx.x] = load(threadIdx.x);
        __syncthreads();
        for (int i = 0; i < 64; ++i) sum += s[i] * i;
        step();
        __syncthreads();
    }
    return sum;
}
__global__ void stepped_by_another(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int at = 0;
    out[threadIdx.x] = steps(n, [&](int i) { return a[at + i]; }, [&] { at += 64; });
}

template <class Load, class Step> __device__ float steps_by_pointer(int n, Load load, Step step)
{
    __shared__ float s[64];
    float sum = 0;
    for (int k = 0; k < n; k += 64) {
        s[threadIdx.x] = load(threadIdx.x);
        __syncthreads();
        for (int i = 0; i < 64; ++i) sum += s[i] * i;
        step(64);
        __syncthreads();
    }
    return sum;
}
struct Step {
    int *at;
    __device__ void operator()(int by) const { *at += by; }
};
__global__ void stepped_by_pointer(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int at = 0;
    Step step{&at};
    out[threadIdx.x] = steps_by_pointer(n, [&](int i) { return a[at + i]; }, step);
}

template <class Load> __device__ float steps_itself(int n, Load load)
{
    __shared__ float s[64];
    float sum = 0;
    for (int k = 0; k < n; k += 64) {
        s[threadIdx.x] = load(threadIdx.x);
        __syncthreads();
        for (int i = 0; i < 64; ++i) sum += s[i] * i + load(i);
        __syncthreads();
    }
    return sum;
}
__global__ void own_copy_steps(const float *__restrict__ a, float *__restrict__ out, int n)
{
    int at = 0;
    out[threadIdx.x] = steps_itself(n, [=](int i) mutable { at += 64; return a[at + i]; });
}

template <class Load> __device__ void own_pointer(int n, float *to, Load load)
{
    __shared__ float s[64];
    float sum = 0;
    for (int k = 0; k < n; k += 64) {
        s[threadIdx.x] = load(k + threadIdx.x);
        __syncthreads();
        for (int i = 0; i < 64; ++i) sum += s[i] * i;
        to[k + 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}
__global__ void captured_and_handed(float *__restrict__ a, int n)
{
    own_pointer(n, a, [=](int i) { return a[i]; });
}
