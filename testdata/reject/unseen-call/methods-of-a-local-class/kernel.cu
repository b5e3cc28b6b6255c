// A class that the kernel declares itself fills its tile, or sums it up: such methods are not followed.
__global__ void sums(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    struct Ops {
        const float *g;
        __device__ void load(int k) const { s[threadIdx.x] = g[k * 64 + threadIdx.x]; }
        static __device__ float dot(int x) { float v = 0; for (int i = 0; i < 64; ++i) v += s[i] * (x ^ i); return v; }
    };
    Ops ops{a};
    float sum = 0;
    for (int k = 0; k < n; ++k) {
        ops.load(k);
        __syncthreads();
        sum += Ops::dot(threadIdx.x);
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// A lambda counts the tiles.
__global__ void counted(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    float sum = 0;
    auto next = [p = a + threadIdx.x]() mutable { float v = *p; p += 64; return v; };
    for (int k = 0; k < n; ++k) {
        s[threadIdx.x] = next();
        __syncthreads();
        for (int i = 0; i < 64; ++i) sum += s[i] * (threadIdx.x ^ i);
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}
