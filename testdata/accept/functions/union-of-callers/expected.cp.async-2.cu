// Storage that a function's callers declare as a union: of the tile and something else. One caller
// has it for that alone, another goes on to use it for its sums.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <typename T, int TILE>
struct StridedLoad {
    static __device__ __forceinline__ void Load(T *dst, const T *src, int n)
    {
        for (int i = threadIdx.x; i < TILE; i += blockDim.x)
            dst[i] = i < n ? src[i] : T();
    }

    static __device__ __forceinline__ void Load_async(T *dst, const T *src, int n)
    {
        static_assert(__is_trivially_copyable(T) &&
                      (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                      alignof(T) == sizeof(T), "asynchronous copies move 4, 8 or 16 aligned bytes");
        for (int i = threadIdx.x; i < TILE; i += blockDim.x) {
            if (i < n) {
                __pipeline_memcpy_async(&dst[i], &src[i], sizeof(T));
            } else {
                dst[i] = T();
            }
        }
    }
};

struct Larger {
    template <class T>
    __device__ T operator()(T a, T b) const
    {
        return a > b ? a : b;
    }
};

template <typename T, int TILE, template <typename, int> class Loader>
struct WindowReduction {
    union Storage {
        T tile[TILE];
        unsigned words[TILE];
    };

    template <class Op>
    static __device__ T run(Storage &st, const T *__restrict__ x, int n, Op op)
    {
        __shared__ Storage st_stage[2];
        T acc = T();
        // pipelinify: cp.async, 2 stages, source d5fa54b1
        int b_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (b_load < n) {
                Loader<T, TILE>::Load_async(st_stage[load_stage].tile, x + b_load, n - b_load);
                b_load += TILE;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int b = 0; b < n; b += TILE) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (int i = 0; i < TILE; ++i)
                acc = op(acc, st_stage[stage].tile[(i + threadIdx.x) % TILE] * (i ^ threadIdx.x));
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
        return acc;
    }
};

// pipelinify: launch largest
//   sizes    n=0,1,31,32,33,64,100
//   target   n=65536
//   grid     2
//   block    32
//   x:       in  [2 * n + 1] random
//   y:       out [64]
//   n:       n
__global__ void largest(const float *x, float *y, int n)
{
    using Reduction = WindowReduction<float, 32, StridedLoad>;
    __shared__ Reduction::Storage st;
    y[blockIdx.x * 32 + threadIdx.x] = Reduction::run(st, x + (size_t)blockIdx.x * n, n, Larger{});
}

// What is loaded as words is read as bytes, and the sums of the block lie where the tile was.
union Words {
    unsigned in[64];
    unsigned char bytes[256];
    float sums[64];
};

__device__ float weigh_bytes(Words &w, const unsigned *__restrict__ src, int n)
{
    float sum = 0.f;
    for (int b = 0; b < n; b += 64) {
        w.in[threadIdx.x] = src[b + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 256; ++i)
            sum += (float)w.bytes[i] * ((i + threadIdx.x) % 5);
        __syncthreads();
    }
    return sum;
}

// pipelinify: launch weigh_and_add
//   sizes    n=0,64,128,192,320
//   target   n=65536
//   grid     2
//   block    64
//   src:     in  [n + 1]
//   out:     out [128]
//   n:       n
__global__ void weigh_and_add(const unsigned *__restrict__ src, float *__restrict__ out, int n)
{
    __shared__ Words words;
    const float own = weigh_bytes(words, src, n);
    words.sums[threadIdx.x] = own;
    __syncthreads();
    float all = 0.f;
    for (int i = 0; i < 64; ++i)
        all += words.sums[i];
    out[blockIdx.x * 64 + threadIdx.x] = own / (all + 1.f);
}
