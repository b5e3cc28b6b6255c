// What a helper stores to the tile lies in an array of the thread's own, where no asynchronous copy
// can read it.
__device__ __forceinline__ void put(float (*tile)[33], const float *frag)
{
#pragma unroll
    for (int i = 0; i < 4; ++i)
        tile[i * 8 + threadIdx.y][threadIdx.x] = frag[i];
}

struct fragment_of {
    const float *p;
    __device__ void put(float (*tile)[33]) const
    {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            tile[i * 8 + threadIdx.y][threadIdx.x] = p[i];
    }

    __device__ auto put_fetch() const
    {
        struct {
            float tile_next[4];
        } next;
#pragma unroll
        for (int i = 0; i < 4; ++i)
            next.tile_next[i] = p[i];
        return next;
    }

    template <typename Registers>
    __device__ void put_store(float (*tile)[33], const Registers &next) const
    {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            tile[i * 8 + threadIdx.y][threadIdx.x] = next.tile_next[i];
    }
};
// pipelinify: launch column_sums
//   sizes    T=0,1,2,3,5
//   target   T=65536
//   grid     1
//   block    32, 8
//   a:       in  [T * 1024 + 1] random
//   y:       out [256]
//   tiles:   T
__global__ void column_sums(const float *__restrict__ a, float *__restrict__ y, int tiles)
{
    __shared__ float tile[32][33];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 238e6a82
    int t = 0;
    if (t < tiles) {
        {
            float frag[4];
#pragma unroll
            for (int i = 0; i < 4; ++i)
                frag[i] = a[(t * 32 + i * 8 + threadIdx.y) * 32 + threadIdx.x];
            put(tile, frag);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float frag[4];
#pragma unroll
            for (int i = 0; i < 4; ++i)
                frag[i] = a[(t * 32 + i * 8 + threadIdx.y) * 32 + threadIdx.x];
            for (int r = 0; r < 32; ++r)
                sum += tile[r][threadIdx.x];
            __syncthreads();
            put(tile, frag);
            __syncthreads();
        }
        for (int r = 0; r < 32; ++r)
            sum += tile[r][threadIdx.x];
    }
    y[threadIdx.y * 32 + threadIdx.x] = sum;
}

// By an object that keeps the address.
// pipelinify: launch column_sums_by_object
//   sizes    T=0,1,2,3,5
//   target   T=65536
//   grid     1
//   block    32, 8
//   a:       in  [T * 1024 + 1] random
//   y:       out [256]
//   tiles:   T
__global__ void column_sums_by_object(const float *__restrict__ a, float *__restrict__ y, int tiles)
{
    __shared__ float tile[32][33];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 1bb76a9f
    int t = 0;
    if (t < tiles) {
        {
            float frag[4];
#pragma unroll
            for (int i = 0; i < 4; ++i)
                frag[i] = a[(t * 32 + i * 8 + threadIdx.y) * 32 + threadIdx.x];
            fragment_of held{frag};
            held.put(tile);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float frag[4];
#pragma unroll
            for (int i = 0; i < 4; ++i)
                frag[i] = a[(t * 32 + i * 8 + threadIdx.y) * 32 + threadIdx.x];
            fragment_of held{frag};
            auto tile_next = held.put_fetch();
            for (int r = 0; r < 32; ++r)
                sum += tile[r][threadIdx.x];
            __syncthreads();
            held.put_store(tile, tile_next);
            __syncthreads();
        }
        for (int r = 0; r < 32; ++r)
            sum += tile[r][threadIdx.x];
    }
    y[threadIdx.y * 32 + threadIdx.x] = sum;
}
