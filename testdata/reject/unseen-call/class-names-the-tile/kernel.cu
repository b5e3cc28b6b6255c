// A class that the kernel declares fills the tile by its name.
__global__ void fills(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    struct loads {
        static __device__ void tile(const float *from) { s[threadIdx.x] = from[threadIdx.x]; }
    };
    float sum = 0.f;
    for (int i = 0; i < n; i += 64) {
        loads::tile(a + i);
        __syncthreads();
        for (int j = 0; j < 64; ++j) sum += s[j] * j;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// It stores by a pointer that may lead to what is loaded.
__global__ void stores(const float *a, float *out, int n)
{
    __shared__ float s[64];
    struct sink {
        float *to;
        __device__ void operator()(int i, float v) { to[i] = v; }
    };
    sink put{out};
    float sum = 0.f;
    for (int i = 0; i < n; i += 64) {
        s[threadIdx.x] = a[i + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j) sum += s[j] * j;
        put(i + threadIdx.x, sum);
        __syncthreads();
    }
}

// One of two that have one name loads, the other stores.
__global__ void another(float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    struct sink {
        static __device__ float put(float &at, float v) { return at -= v; }
    };
    float sum = 0.f;
    for (int i = 0; i < n; i += 64) {
        s[threadIdx.x] = sink::put(a[i + threadIdx.x], 1.f);
        __syncthreads();
        for (int j = 0; j < 64; ++j) sum += s[j] * j;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
