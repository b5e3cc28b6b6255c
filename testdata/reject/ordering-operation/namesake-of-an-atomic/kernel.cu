// Atomics in a template whose name is that of a function of the file, which does more than they.
__device__ int done;

struct own {
    short raw;
    __device__ own(int v = 0);
    __device__ operator int() const;
};

__device__ void atomicAdd(own *at, own value)
{
    at->raw += value.raw;
    __threadfence();
    done = 1;
}

__device__ void atomicMax(own *at, own value)
{
    at->raw = max(at->raw, value.raw);
}

template <typename T>
__global__ void sums(const T *__restrict__ in, T *__restrict__ out, int n)
{
    __shared__ T tile[64];
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        T sum = 0;
        for (int i = 0; i < 64; ++i)
            sum = sum + tile[i];
        atomicAdd(out + threadIdx.x, sum);
        __syncthreads();
    }
}

template <typename T>
__global__ void largest(const T *__restrict__ in, T *__restrict__ out, int n)
{
    __shared__ T tile[64];
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        T sum = 0;
        for (int i = 0; i < 64; ++i)
            sum = sum + tile[i];
        atomicMax(out + threadIdx.x, sum);
        __syncthreads();
    }
}

void run(const int *in, int *out, int n)
{
    sums<<<1, 64>>>(in, out, n);
    largest<<<1, 64>>>(in, out, n);
}
