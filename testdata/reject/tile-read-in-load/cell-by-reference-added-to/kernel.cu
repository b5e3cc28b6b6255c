// What the functions do with a cell is more than to store what they are handed.
__device__ __forceinline__ void add_to(float &to, const float &v) { to = to + v; }
__device__ __forceinline__ void put_positive(float &to, const float &v) { if (v > 0.f) to = v; }

__global__ void sums(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float rows[32];
    const int t = threadIdx.x;
    float s = 0;
    rows[t] = 0.f;
    for (int k0 = 0; k0 < n; k0 += 32) {
        add_to(rows[t], a[k0 + t]);
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            s += rows[i] * rows[(i + t) % 32];
        __syncthreads();
    }
    o[t] = s;
}

__global__ void positive(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float rows[32];
    const int t = threadIdx.x;
    float s = 0;
    for (int k0 = 0; k0 < n; k0 += 32) {
        put_positive(rows[t], a[k0 + t]);
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            s += rows[i] * rows[(i + t) % 32];
        __syncthreads();
    }
    o[t] = s;
}

// The reference may be a cell of either tile.
__device__ __forceinline__ void put(float &to, const float &v) { to = v; }
__global__ void whichever(const float *__restrict__ a, float *__restrict__ o, int n, int which)
{
    __shared__ float rows[32];
    __shared__ float others[32];
    const int t = threadIdx.x;
    float s = 0;
    rows[t] = others[t] = 0.f;
    for (int k0 = 0; k0 < n; k0 += 32) {
        put(k0 == which ? rows[t] : others[t], a[k0 + t]);
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            s += rows[i] * others[(i + t) % 32];
        __syncthreads();
    }
    o[t] = s;
}
