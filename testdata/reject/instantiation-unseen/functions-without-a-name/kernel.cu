// What loads is an argument of the template, and is declared behind it: the text cannot ask for it by its name, and another build has another.
typedef void (*load_t)(const float *g, float *s, int k);

template <load_t load> static __device__ __forceinline__ float run(const float *__restrict__ a, int n)
{
    __shared__ float s[64];
    float sum = 0;
    for (int k = 0; k < n; ++k) {
        load(a, s, k);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (threadIdx.x ^ i);
        __syncthreads();
    }
    return sum;
}

static __device__ __forceinline__ void load_plain(const float *g, float *s, int k)
{
    s[threadIdx.x] = g[k * 64 + threadIdx.x];
}

static __device__ __forceinline__ void load_twice(const float *g, float *s, int k)
{
    s[threadIdx.x] = 2 * g[k * 64 + threadIdx.x];
}

#ifdef TWICE
__global__ void sums(const float *__restrict__ a, float *__restrict__ o, int n) { o[threadIdx.x] = run<load_twice>(a, n); }
#else
__global__ void sums(const float *__restrict__ a, float *__restrict__ o, int n) { o[threadIdx.x] = run<load_plain>(a, n); }
#endif
