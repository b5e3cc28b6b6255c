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
    // pipelinify: ldg-single, 1 stage, source 246ca68a
    int k = 0;
    if (k < tiles) {
        auto compute_tile = [&]() {
            const float *peak = band.peak();
            if (last)
                sum += *peak - *last;
            last = peak;
        };
        band.cell[t] = x[k * T + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float cell_next = x[k * T + t];
            compute_tile();
            __syncthreads();
            band.cell[t] = cell_next;
            __syncthreads();
        }
        compute_tile();
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
    // pipelinify: ldg-single, 1 stage, source 7aefffa2
    int k = 0, k_tile = k;
    if (k < tiles) {
        s[t] = x[k * T + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float s_next = x[k * T + t];
            if (last.at)
                sum += s[(t + 1) % T] * *last.at;
            last = mark(s, t + k_tile);
            ++k_tile;
            __syncthreads();
            s[t] = s_next;
            __syncthreads();
        }
        if (last.at)
            sum += s[(t + 1) % T] * *last.at;
        last = mark(s, t + k_tile);
    }
    out[t] = sum;
}
