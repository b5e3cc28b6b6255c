// Two tiles in a record, which are apart, and two in a union, which are not: the second store of the
// union's loop takes the place of the first one.
#include <cuda_runtime.h>

template <typename T, int N>
struct Pair {
    T a[N];
    T b[N];
};

union Shared {
    float raw[64];
    float scaled[64];
};

// pipelinify: launch inner_products<float>
//   sizes  count=1,3 n=0,64,128,192,320
//   target count=512 n=8192
//   grid   count
//   block  64
//   a:     in  [count * n] random
//   b:     in  [n] random
//   out:   out [count * 64]
//   n:     n
template <typename T>
__global__ void inner_products(const T *a, const T *b, T *out, int n)
{
    __shared__ Pair<T, 64> tile;
    T sum = 0;
    // pipelinify: ldg-single, 1 stage, source 90d29915
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    int k = 0;
    if (k < n) {
        tile.a[threadIdx.x] = a[blockIdx.x * n + k + threadIdx.x];
        tile.b[threadIdx.x] = b[k + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            T a_next = a[blockIdx.x * n + k + threadIdx.x];
            T b_next = b[k + threadIdx.x];
            for (int i = 0; i < 64; i++)
                sum += tile.a[i] * tile.b[(i + threadIdx.x) % 64];
            __syncthreads();
            tile.a[threadIdx.x] = a_next;
            tile.b[threadIdx.x] = b_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; i++)
            sum += tile.a[i] * tile.b[(i + threadIdx.x) % 64];
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// pipelinify: launch weighted_sums
//   sizes  count=1,3 n=0,64,128,192,320
//   target count=512 n=8192
//   grid   count
//   block  64
//   x:     in  [count * n] random
//   w:     in  [n] random
//   out:   out [count * 64]
//   n:     n
__global__ void weighted_sums(const float *x, const float *w, float *out, int n)
{
    __shared__ Shared tile;
    float sum = 0;
    // pipelinify: ldg-single, 1 stage, source b4d426ec
    int k = 0;
    if (k < n) {
        tile.raw[threadIdx.x] = x[blockIdx.x * n + k + threadIdx.x];
        if (threadIdx.x & 1)
            tile.scaled[threadIdx.x] = w[k + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float scaled_next;
            float raw_next = x[blockIdx.x * n + k + threadIdx.x];
            if (threadIdx.x & 1)
                scaled_next = w[k + threadIdx.x];
            for (int i = 0; i < 64; i++)
                sum += tile.scaled[(i + threadIdx.x) % 64];
            __syncthreads();
            tile.raw[threadIdx.x] = raw_next;
            if (threadIdx.x & 1)
                tile.scaled[threadIdx.x] = scaled_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; i++)
            sum += tile.scaled[(i + threadIdx.x) % 64];
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

template __global__ void inner_products<float>(const float *, const float *, float *, int);
