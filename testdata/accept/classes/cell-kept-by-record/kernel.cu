#include <cuda_runtime.h>

#define T 64

// A tile that knows its cells: what 'peak' finds is kept for the next tile, where
// that cell holds something else.
struct Band {
    float cell[T];

    __device__ const float *peak()
    {
        const float *best = cell;
        for (int j = 1; j < T; ++j)
            if (cell[j] > *best)
                best = &cell[j];
        return best;
    }
};

// pipelinify: launch drift
//   sizes    T=64 tiles=0,1,2,3,5,6
//   target   T=64 tiles=4096
//   block    T
//   x:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
__global__ void drift(const float *__restrict__ x, float *__restrict__ out,
                      int tiles)
{
    __shared__ Band band;
    const int t = threadIdx.x;
    const float *last = nullptr;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        band.cell[t] = x[k * T + t];
        __syncthreads();
        const float *peak = band.peak();
        if (last)
            sum += *peak - *last;
        last = peak;
        __syncthreads();
    }
    out[t] = sum;
}

template <class V>
struct Mark {
    V *at;
};

template <class V, int N>
__device__ Mark<V> mark(V (&cells)[N], int i)
{
    return Mark<V>{cells + i % N};
}

// pipelinify: launch echo
//   sizes    T=64 tiles=0,1,2,3,5,6
//   target   T=64 tiles=4096
//   block    T
//   x:       in [tiles * T] random
//   out:     out [T]
//   tiles:   tiles
__global__ void echo(const float *__restrict__ x, float *__restrict__ out,
                     int tiles)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    Mark<float> last = {nullptr};
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        s[t] = x[k * T + t];
        __syncthreads();
        if (last.at)
            sum += s[(t + 1) % T] * *last.at;
        last = mark(s, t + k);
        __syncthreads();
    }
    out[t] = sum;
}
