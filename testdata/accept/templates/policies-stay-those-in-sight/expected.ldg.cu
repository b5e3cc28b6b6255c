// How an element is read, and what becomes of a sum, is a class of the caller's. Two of
// the readers are in no instantiation here: one marks what it has read, the other one
// waits for the whole block. The rewritten text asks for those that are.
struct as_it_is {
    __device__ float operator()(const float *from, int at) const { return from[at]; }
};

struct marked {
    float *seen;
    __device__ float operator()(float *from, int at) const
    {
        seen[at] = from[at];
        return from[at];
    }
};

struct in_step {
    __device__ float operator()(const float *from, int at) const
    {
        __syncthreads();
        return from[at];
    }
};

struct damped {
    static __device__ float next(float sum, float x) { return sum * 0.5f + x; }
};

struct plain {
    static __device__ float next(float sum, float x) { return sum + x; }
};

template <class Read, class Sum>
__global__ void __launch_bounds__(64) sums(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float tile_stage[2][64];
    const int x = threadIdx.x;
    float sum = 0.0f;
    Read read;
    // pipelinify: ldg, 2 stages, source 81b43719
    static_assert(__is_same(Read, as_it_is),
                  "pipelined for this Read alone: run pipelinify again for another");
    static_assert(__is_same(Sum, damped) ||
                  __is_same(Sum, plain),
                  "pipelined for this Sum alone: run pipelinify again for another");
    int t = 0, stage = 0;
    if (t < tiles) {
        tile_stage[0][x] = read(from, t * 64 + x);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float tile_next = read(from, t * 64 + x);
            for (int k = 0; k < 64; ++k)
                sum = Sum::next(sum, tile_stage[stage][k] * (k ^ x));
            stage ^= 1;
            tile_stage[stage][x] = tile_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum = Sum::next(sum, tile_stage[stage][k] * (k ^ x));
    }
    to[blockIdx.x * 64 + x] = sum;
}

// pipelinify: launch sums<as_it_is, damped>
//   sizes    tiles=0,1,2,3,5
//   block    64
//   from:    in [tiles * 64 + 64] random
//   to:      out [64]
//   tiles:   tiles
template __global__ void sums<as_it_is, plain>(const float *, float *, int);

// A number chooses a class that the file has two of; here it is never the one that
// counts what it reads.
__device__ int reads;

template <int HOW> struct row {
    static __device__ float at(const float *from, int i) { return from[i]; }
};

template <> struct row<1> {
    static __device__ float at(const float *from, int i)
    {
        atomicAdd(&reads, 1);
        return from[i];
    }
};

template <int HOW>
__global__ void __launch_bounds__(64) rows(const float *__restrict__ from, float *__restrict__ to, int tiles)
{
    __shared__ float tile_stage[2][64];
    const int x = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 886d1107
    static_assert((long long)HOW == 2 ||
                  (long long)HOW == 0,
                  "pipelined for this HOW alone: run pipelinify again for another");
    int t = 0, stage = 0;
    if (t < tiles) {
        tile_stage[0][x] = row<HOW>::at(from, t * 64 + x);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float tile_next = row<HOW>::at(from, t * 64 + x);
            for (int k = 0; k < 64; ++k)
                sum = sum * 0.5f + tile_stage[stage][k] * (k ^ x);
            stage ^= 1;
            tile_stage[stage][x] = tile_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum = sum * 0.5f + tile_stage[stage][k] * (k ^ x);
    }
    to[blockIdx.x * 64 + x] = sum;
}

// pipelinify: launch rows<2>
//   sizes    tiles=0,1,2,3,5
//   block    64
//   from:    in [tiles * 64 + 64] random
//   to:      out [64]
//   tiles:   tiles
template __global__ void rows<0>(const float *, float *, int);
