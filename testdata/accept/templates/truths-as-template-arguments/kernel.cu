// Template arguments have the types of their parameters: true counts as one, a byte
// is promoted before it is added to, an unsigned one wraps.
#include <cuda_runtime.h>

// pipelinify: launch bordered<true, 200, 3u>
//   sizes tiles=0,1,2,3
//   target tiles=4096
//   grid   1
//   block  128
//   in:    in  [tiles * 1024] random
//   out:   out [128]
//   tiles: tiles
template <bool Bordered, unsigned char Width, unsigned Taps>
__global__ void __launch_bounds__(128)
bordered(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ float line[400 + 100];
    __shared__ float edge[400 + 100];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        for (int i = t; i < 2 * Width + 100 * Bordered; i += 128)
            line[i] = in[k * 1024 + i];
        for (int i = t; i < (int)((Taps - 4) >> 23) - 11; i += 128)
            edge[i] = in[k * 1024 + 500 + i];
        __syncthreads();
        for (int i = 0; i < 500; ++i)
            sum += line[i] * edge[499 - i] * (float)((i + t) & 3);
        __syncthreads();
    }
    out[t] = sum;
}

template __global__ void bordered<true, 200, 3u>(const float *, float *, int);
