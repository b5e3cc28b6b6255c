// Samples with a weight or without: which text loads them is chosen by their type, and the
// other one would not compile.
#include <cuda_runtime.h>

#define TILE 64

struct weighted {
    float value, weight;
};

template <class T>
struct has_weight {
    static constexpr bool value = false;
};
template <>
struct has_weight<weighted> {
    static constexpr bool value = true;
};

// pipelinify: launch smoothed<float>
//   sizes  n=0,1,63,64,65,128,200,300
//   target n=1000000
//   grid   2
//   block  TILE
//   let    TILE = 64
//   x:     in  [n] range(-1, 1)
//   out:   out [2 * TILE]
//   n:     n
template <class T>
__global__ void smoothed(const T *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float tile_stage[2][TILE];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 34ce8476
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    int base = 0, stage = 0;
    if (base < n) {
        {
            const int at = base + threadIdx.x;
            if constexpr (has_weight<T>::value)
                tile_stage[0][threadIdx.x] = at < n ? x[at].value * x[at].weight : 0.f;
            else
                tile_stage[0][threadIdx.x] = at < n ? x[at] : T(0);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += TILE; base < n; base += TILE) {
            float tile_next;
            const int at = base + threadIdx.x;
            if constexpr (has_weight<T>::value)
                tile_next = at < n ? x[at].value * x[at].weight : 0.f;
            else
                tile_next = at < n ? x[at] : T(0);
            for (int k = 0; k < TILE; ++k)
                sum += tile_stage[stage][k] / (1 + abs(k - (int)threadIdx.x));
            stage ^= 1;
            tile_stage[stage][threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int k = 0; k < TILE; ++k)
            sum += tile_stage[stage][k] / (1 + abs(k - (int)threadIdx.x));
    }
    out[blockIdx.x * TILE + threadIdx.x] = sum;
}

template <class T>
__device__ void load_values(float *tile, const T *__restrict__ x, int at, int n)
{
    if constexpr (has_weight<T>::value) {
        tile[threadIdx.x] = at < n ? x[at].value : 0.f;
        tile[threadIdx.x + TILE] = at < n ? x[at].weight : 0.f;
    } else {
        tile[threadIdx.x] = at < n ? x[at] : T(0);
        tile[threadIdx.x + TILE] = 1.f;
    }
}

template <class T>
__device__ auto load_values_fetch(const T *__restrict__ x, int at, int n)
{
    struct {
        float tile_next;
        float tile_next2;
        float tile_next3;
    } next;
    if constexpr (has_weight<T>::value) {
        next.tile_next = at < n ? x[at].value : 0.f;
        next.tile_next2 = at < n ? x[at].weight : 0.f;
    } else {
        next.tile_next3 = at < n ? x[at] : T(0);
    }
    return next;
}

template <class T, typename Registers>
__device__ void load_values_store(float *tile, const T *__restrict__ x, const Registers &next)
{
    if constexpr (has_weight<T>::value) {
        tile[threadIdx.x] = next.tile_next;
        tile[threadIdx.x + TILE] = next.tile_next2;
    } else {
        tile[threadIdx.x] = next.tile_next3;
        tile[threadIdx.x + TILE] = 1.f;
    }
}

// pipelinify: launch mean<float>
//   sizes  n=0,1,63,64,65,128,200,300
//   target n=1000000
//   grid   2
//   block  TILE
//   let    TILE = 64
//   x:     in  [n] range(-1, 1)
//   out:   out [2 * TILE]
//   n:     n
template <class T>
__global__ void mean(const T *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float tile_stage[2][2 * TILE];
    float sum = 1.f, weights = 1.f;
    // pipelinify: ldg, 2 stages, source 533172fa
    int base = 0, stage = 0;
    if (base < n) {
        load_values(tile_stage[0], x, base + threadIdx.x, n);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += TILE; base < n; base += TILE) {
            auto tile_next = load_values_fetch(x, base + threadIdx.x, n);
            for (int k = 0; k < TILE; ++k) {
                sum += tile_stage[stage][k] * tile_stage[stage][k + TILE];
                weights += tile_stage[stage][k + TILE];
            }
            stage ^= 1;
            load_values_store(tile_stage[stage], x, tile_next);
            __syncthreads();
        }
        for (int k = 0; k < TILE; ++k) {
            sum += tile_stage[stage][k] * tile_stage[stage][k + TILE];
            weights += tile_stage[stage][k + TILE];
        }
    }
    out[blockIdx.x * TILE + threadIdx.x] = sum / weights;
}

void run(const float *x, const weighted *w, float *out, int n)
{
    smoothed<<<2, TILE>>>(x, out, n);
    smoothed<<<2, TILE>>>(w, out, n);
    mean<<<2, TILE>>>(x, out, n);
    mean<<<2, TILE>>>(w, out, n);
}
