// Bases that do more than to hand a call on, or hand on another one.
template <class Derived>
struct Base {
    int calls = 0;
    __device__ void counted(float *tile, int k0)
    {
        ++calls;
        static_cast<Derived *>(this)->load(tile, k0);
    }
    __device__ void from_behind(float *tile, int k0) { static_cast<Derived *>(this)->load(tile, k0 + 64); }
    __device__ void wide(float *tile, long k0) { static_cast<Derived *>(this)->chosen(tile, k0); }
};

struct Loader : Base<Loader> {
    const float *ptr;
    __device__ explicit Loader(const float *p) : ptr(p) {}
    __device__ void load(float *tile, int k0) { tile[threadIdx.x] = ptr[k0 + threadIdx.x]; }
    __device__ void chosen(float *tile, int k0) { tile[threadIdx.x] = ptr[k0 + threadIdx.x]; }
    __device__ void chosen(float *tile, long k0) { tile[threadIdx.x] = ptr[2 * k0 + threadIdx.x]; }
};

#define REST                                                            \
    __syncthreads();                                                    \
    for (int i = 0; i < 64; ++i) sum += tile[i] * i;                    \
    __syncthreads();

__global__ void counts(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    Loader loader(x);
    float sum = 0;
    for (int k = 0; k < n; k += 64) {
        loader.counted(tile, k);
        REST
    }
    out[threadIdx.x] = sum + loader.calls;
}

__global__ void behind(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    Loader loader(x);
    float sum = 0;
    for (int k = 0; k < n; k += 64) {
        loader.from_behind(tile, k);
        REST
    }
    out[threadIdx.x] = sum;
}

__global__ void overloads(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    Loader loader(x);
    float sum = 0;
    for (int k = 0; k < n; k += 64) {
        loader.wide(tile, k);
        REST
    }
    out[threadIdx.x] = sum;
}
