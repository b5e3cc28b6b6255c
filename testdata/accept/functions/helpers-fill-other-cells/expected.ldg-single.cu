// Helpers that fill other cells in each iteration, so that one buffer has to do: a ring, and an object that steps.
#include <cuda_runtime.h>

// Each batch lies where the last one ended, in a ring: what is read behind the second batch is of the one before.
__device__ void put(float *ring, const float *__restrict__ x, int k)
{
    ring[(k / 64 * 32 + threadIdx.x) % 96] = x[k + threadIdx.x];
}

__device__ auto put_fetch(const float *__restrict__ x, int k)
{
    float ring_next = x[k + threadIdx.x];
    return ring_next;
}

__device__ void put_store(float *ring, int k, float ring_next)
{
    ring[(k / 64 * 32 + threadIdx.x) % 96] = ring_next;
}

// pipelinify: launch ring_sum
//   sizes    n=0,64,128,192,256,320
//   target   n=131072
//   block    64
//   x:       in  [n]
//   out:     out [64]
//   n:       n
__global__ void ring_sum(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float ring[96];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 27908d74
    int k = 0, k_tile = k;
    if (k < n) {
        put(ring, x, k);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            auto ring_next = put_fetch(x, k);
            for (int i = 0; i < 96; ++i)
                sum += k_tile < 128 ? 0.f : ring[i] * (float)(i ^ threadIdx.x);
            k_tile += 64;
            __syncthreads();
            put_store(ring, k, ring_next);
            __syncthreads();
        }
        for (int i = 0; i < 96; ++i)
            sum += k_tile < 128 ? 0.f : ring[i] * (float)(i ^ threadIdx.x);
    }
    out[threadIdx.x] = sum;
}

struct Turning {
    const float *p;
    int at;

    __device__ void load(float *tile) const
    {
        if (threadIdx.x % 4 != at % 4)
            tile[(threadIdx.x + at) % 64] = p[at * 64 + threadIdx.x];
    }

    __device__ auto load_fetch() const
    {
        struct {
            float tile_next;
        } next2;
        if (threadIdx.x % 4 != at % 4)
            next2.tile_next = p[at * 64 + threadIdx.x];
        return next2;
    }

    template <typename Registers>
    __device__ void load_store(float *tile, const Registers &next2) const
    {
        if (threadIdx.x % 4 != at % 4)
            tile[(threadIdx.x + at) % 64] = next2.tile_next;
    }
    __device__ void next() { ++at; }
};

// pipelinify: launch turned
//   sizes    n=0,1,2,3,5
//   target   n=2048
//   block    64
//   p:       in  [n * 64]
//   out:     out [64]
//   n:       n
__global__ void turned(const float *p, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    Turning source = {p, 0};
    float sum = 0.f;

    tile[threadIdx.x] = 0.f;
    __syncthreads();
    // pipelinify: ldg-single, 1 stage, source ed82988f
    int k = 0;
    if (k < n) {
        source.load(tile);
        source.next();
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            auto tile_next = source.load_fetch();
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (float)(i ^ threadIdx.x);
            __syncthreads();
            source.load_store(tile, tile_next);
            source.next();
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (float)(i ^ threadIdx.x);
    }
    out[threadIdx.x] = sum;
}
