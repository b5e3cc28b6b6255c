// A batch of products with one of several small matrices each. The vectors that carry the loads are
// objects of a class template, declared before the loop and set anew, part by part, for each tile.
#include <cuda_runtime.h>

template <typename T, int N>
struct vec_t {
    T data[N];
    __device__ __forceinline__ T &operator[](int i) { return data[i]; }
    __device__ __forceinline__ void load(const T *p)
    {
#pragma unroll
        for (int i = 0; i < N; ++i)
            data[i] = p[i];
    }
    __device__ __forceinline__ void store(T *p) const
    {
#pragma unroll
        for (int i = 0; i < N; ++i)
            p[i] = data[i];
    }
};

// pipelinify: launch shrink<4,32,4>
//   sizes    n=0,512,1024,1536,2048 batch=1,3
//   target   n=65536 batch=64
//   grid     4, batch
//   block    32, 4
//   y:       inout [batch * 4] random
//   x:       in  [batch * n + 1] random
//   w:       in  [2 * 4 * n + 1] random
//   which:   in  [batch] below(2)
//   n:       n
//   rank:    4
template <int V, int TX, int TY>
__global__ void shrink(float *__restrict__ y, const float *__restrict__ x, const float *__restrict__ w,
                       const int *__restrict__ which, int n, int rank)
{
    constexpr int TILE = TX * TY * V;
    __shared__ float xs[TILE];
    __shared__ float sums[TY];
    __shared__ float ws[TILE];
    const float *row = x + blockIdx.y * n;
    const float *weights = w + (which[blockIdx.y] * rank + blockIdx.x) * n;
    const int own = (threadIdx.y * TX + threadIdx.x) * V;
    const int other = TILE - V - own;
    vec_t<float, V> part, weight;
    float total = 0.f;

    // pipelinify: ldg-single, 1 stage, source e452f107
    int tile = 0;
    if (tile < (n + TILE - 1) / TILE) {
        auto compute_tile = [&]() {
            float sum = 0.f;
#pragma unroll
            for (int i = 0; i < V; ++i)
                sum += xs[other + i] * ws[other + i];
#pragma unroll
            for (int by = TX / 2; by > 0; by /= 2)
                sum += __shfl_xor_sync(0xffffffff, sum, by);
            if (threadIdx.x == 0)
                sums[threadIdx.y] = sum;
            __syncthreads();
            for (int i = 0; i < TY; ++i)
                total += sums[i];
        };
        part.load(row + tile * TILE + own);
        weight.load(weights + tile * TILE + own);
        part.store(xs + own);
        weight.store(ws + own);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++tile; tile < (n + TILE - 1) / TILE; ++tile) {
            part.load(row + tile * TILE + own);
            weight.load(weights + tile * TILE + own);
            compute_tile();
            __syncthreads();
            part.store(xs + own);
            weight.store(ws + own);
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    if (threadIdx.x == 0 && threadIdx.y == 0)
        y[blockIdx.y * rank + blockIdx.x] += total;
}

// One lane goes on from tile to tile, and the last vector is looked at behind the loop.
// pipelinify: launch smoothed<4>
//   sizes    n=0,128,256,384,640
//   target   n=65536
//   grid     2
//   block    32
//   y:       out [64]
//   x:       in  [n + 1] random
//   n:       n
template <int V>
__global__ void smoothed(float *__restrict__ y, const float *__restrict__ x, int n)
{
    __shared__ float xs[32 * V];
    const int own = threadIdx.x * V;
    vec_t<float, V> part;
    float total = 0.f, before = 0.f;

    for (int i = 0; i < V; ++i)
        part[i] = 0.f;
    // pipelinify: ldg-single, 1 stage, source d4fa8497
    int base = 0;
    if (base < n) {
        part[0] = x[base + own] + 0.5f * before;
        for (int i = 1; i < V; ++i)
            part[i] = 0.25f * part[i] + x[base + own + i];
        part.store(xs + own);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 32 * V; base < n; base += 32 * V) {
            part[0] = x[base + own] + 0.5f * before;
            for (int i = 1; i < V; ++i)
                part[i] = 0.25f * part[i] + x[base + own + i];
            for (int i = 0; i < 32 * V; ++i)
                total += xs[i] * (i + 1 + (int)blockIdx.x);
            __syncthreads();
            part.store(xs + own);
            __syncthreads();
        }
        for (int i = 0; i < 32 * V; ++i)
            total += xs[i] * (i + 1 + (int)blockIdx.x);
    }
    y[blockIdx.x * 32 + threadIdx.x] = total + part[V - 1];
}

template __global__ void shrink<4, 32, 4>(float *, const float *, const float *, const int *, int, int);
template __global__ void smoothed<4>(float *, const float *, int);
