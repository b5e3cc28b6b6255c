// What the arguments make a pointer of may lead to a volatile element in another
// source: the rewritten text asks for what it points to, also where the type has a
// name in a traits class. A restricted pointer is as good as any other.
template <class T> struct samples {
    typedef const T *reader;
};

template <class Kind, class Out>
__global__ void __launch_bounds__(64) windows(typename Kind::reader from, Out power, int tiles)
{
    __shared__ float tile_stage[2][64];
    const int x = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source a9b02c6d
    static_assert(sizeof(static_cast<const void *>(*(typename Kind::reader *)nullptr)) > 0,
                  "typename Kind::reader must point to what is not volatile");
    int t = 0, stage = 0;
    if (t < tiles) {
        tile_stage[0][x] = from[t * 64 + x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float tile_next = from[t * 64 + x];
            for (int k = 0; k < 64; ++k)
                sum = sum * 0.5f + tile_stage[stage][k] * (k ^ x);
            stage ^= 1;
            tile_stage[stage][x] = tile_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum = sum * 0.5f + tile_stage[stage][k] * (k ^ x);
    }
    power[blockIdx.x * 64 + x] = sum;
}

template <class In>
__global__ void __launch_bounds__(64) windows_of(In from, float *__restrict__ power, int tiles)
{
    __shared__ float tile_stage[2][64];
    const int x = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source a9b02c6d
    static_assert(sizeof(static_cast<const void *>(*(In *)nullptr)) > 0, "In must point to what is not volatile");
    int t = 0, stage = 0;
    if (t < tiles) {
        tile_stage[0][x] = from[t * 64 + x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float tile_next = from[t * 64 + x];
            for (int k = 0; k < 64; ++k)
                sum = sum * 0.5f + tile_stage[stage][k] * (k ^ x);
            stage ^= 1;
            tile_stage[stage][x] = tile_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum = sum * 0.5f + tile_stage[stage][k] * (k ^ x);
    }
    power[blockIdx.x * 64 + x] = sum;
}

template <class In>
__global__ void __launch_bounds__(64) loudness_of(In from, float *__restrict__ power, int tiles)
{
    __shared__ float tile_stage[2][64];
    const int x = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source a9b02c6d
    static_assert(sizeof(static_cast<const void *>(*(In *)nullptr)) > 0, "In must point to what is not volatile");
    int t = 0, stage = 0;
    if (t < tiles) {
        tile_stage[0][x] = from[t * 64 + x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float tile_next = from[t * 64 + x];
            for (int k = 0; k < 64; ++k)
                sum = sum * 0.5f + tile_stage[stage][k] * (k ^ x);
            stage ^= 1;
            tile_stage[stage][x] = tile_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum = sum * 0.5f + tile_stage[stage][k] * (k ^ x);
    }
    power[blockIdx.x * 64 + x] = sum;
}

// pipelinify: launch windows<samples<float>, float *>
//   sizes    tiles=0,1,2,3,5
//   block    64
//   from:    in [tiles * 64 + 64] random
//   power:   out [64]
//   tiles:   tiles
template __global__ void windows<samples<float>, float *>(const float *, float *, int);

// pipelinify: launch windows_of<const float *>
//   sizes    tiles=0,1,2,3,5
//   block    64
//   from:    in [tiles * 64 + 64] random
//   power:   out [64]
//   tiles:   tiles
template __global__ void windows_of<const float *>(const float *, float *, int);
template __global__ void loudness_of<const float *__restrict__>(const float *__restrict__, float *, int);
