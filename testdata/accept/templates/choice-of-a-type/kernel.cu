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
    __shared__ float tile[TILE];
    float sum = 0.f;
    for (int base = 0; base < n; base += TILE) {
        const int at = base + threadIdx.x;
        if constexpr (has_weight<T>::value)
            tile[threadIdx.x] = at < n ? x[at].value * x[at].weight : 0.f;
        else
            tile[threadIdx.x] = at < n ? x[at] : T(0);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += tile[k] / (1 + abs(k - (int)threadIdx.x));
        __syncthreads();
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
    __shared__ float tile[2 * TILE];
    float sum = 1.f, weights = 1.f;
    for (int base = 0; base < n; base += TILE) {
        load_values(tile, x, base + threadIdx.x, n);
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            sum += tile[k] * tile[k + TILE];
            weights += tile[k + TILE];
        }
        __syncthreads();
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
