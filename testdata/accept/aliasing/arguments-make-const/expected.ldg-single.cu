#include <cuda_runtime.h>

// What an argument makes of a type: the input's elements are const, so a register for
// one must not be; a functor holds a copy of a cell, and no name of it; a running total
// is made with a copy of a pointer that moves on; and a method that is a template is one
// and the same in both instantiations.

struct Add {
    template <class Sum, class V, class P>
    __device__ static void apply(Sum &sum, V v, const P *)
    {
        sum += v;
    }
};

template <class R>
struct Cell {
    R value;
    template <class V>
    __device__ void operator()(V v)
    {
        value = v;
    }
};

struct Total {
    const float *from;
    float value;
    __device__ explicit Total(const float *f) : from(f), value(0.0f) {}
    __device__ Total &operator+=(float v)
    {
        value += v;
        return *this;
    }
};

// pipelinify: launch sums<const float>
//   sizes  n=0,31,32,64,96,160
//   grid   2
//   block  64
//   x: in  [n * 2]
//   y: out [128]
//   n: n
// pipelinify: launch sums<float>
//   sizes  n=0,31,32,64,96,160
//   grid   2
//   block  64
//   x: in  [n * 2]
//   y: out [128]
//   n: n
template <class In>
__global__ void sums(In *x, float *__restrict__ y, int n)
{
    __shared__ float tile[32];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 35882579
    static_assert(__is_trivially_copyable(In) && !__is_same(In, volatile In),
                  "In must be plain data and not volatile");
    int k = 0;
    if (k < n) {
        if (threadIdx.x < 32) {
            In v = x[n * blockIdx.x + min(k + (int)threadIdx.x, n - 1)];
            tile[threadIdx.x] = v;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 32; k < n; k += 32) {
            decltype(In()) v_next;
            if (threadIdx.x < 32) {
                In v = x[n * blockIdx.x + min(k + (int)threadIdx.x, n - 1)];
                v_next = v;
            }
            for (int i = 0; i < 32; ++i)
                Add::apply(sum, tile[i], x);
            __syncthreads();
            if (threadIdx.x < 32) {
                In v = v_next;
                tile[threadIdx.x] = v;
            }
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            Add::apply(sum, tile[i], x);
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

// pipelinify: launch copies<float>
//   sizes  tiles=0,1,2,3,5
//   grid   2
//   block  64
//   x: in  [tiles * 64 + 1]
//   y: out [128]
//   tiles: tiles
template <class R>
__global__ void copies(float *x, float *y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 6918441f
    int t = 0;
    if (t < tiles) {
        tile[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float tile_next = x[t * 64 + threadIdx.x];
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * tile[63 - i];
            Cell<R>{x[0]}(sum);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * tile[63 - i];
        Cell<R>{x[0]}(sum);
        __syncthreads();
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

// pipelinify: launch totals
//   sizes  tiles=0,1,2,3,5
//   grid   2
//   block  64
//   x: in  [tiles * 64]
//   y: out [128]
//   tiles: tiles
__global__ void totals(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    Total total(x);
    // pipelinify: ldg-single, 1 stage, source 213f0949
    int t = 0;
    if (t < tiles) {
        tile[threadIdx.x] = x[threadIdx.x];
        x += 64;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float tile_next = x[threadIdx.x];
            for (int i = 0; i < 64; ++i)
                total += tile[i] * 0.5f;
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            x += 64;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            total += tile[i] * 0.5f;
    }
    y[blockIdx.x * 64 + threadIdx.x] = total.value;
}
