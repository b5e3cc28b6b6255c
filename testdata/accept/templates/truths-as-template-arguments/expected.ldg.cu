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
    __shared__ float line_stage[2][400 + 100];
    __shared__ float edge_stage[2][400 + 100];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source e5239e88
    int k = 0, stage = 0;
    if (k < tiles) {
        for (int i = t; i < 2 * Width + 100 * Bordered; i += 128)
            line_stage[0][i] = in[k * 1024 + i];
        for (int i = t; i < (int)((Taps - 4) >> 23) - 11; i += 128)
            edge_stage[0][i] = in[k * 1024 + 500 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float line_next[(2 * Width + 100 * Bordered + 128 - 1) / 128];
            float edge_next[((int)((Taps - 4) >> 23) - 11 + 128 - 1) / 128];
            #pragma unroll
            for (int slot = 0; slot < (2 * Width + 100 * Bordered + 128 - 1) / 128; ++slot) {
                int i = t + slot * 128;
                if (slot < (2 * Width + 100 * Bordered) / 128 || i < 2 * Width + 100 * Bordered)
                    line_next[slot] = in[k * 1024 + i];
            }
            #pragma unroll
            for (int slot = 0; slot < ((int)((Taps - 4) >> 23) - 11 + 128 - 1) / 128; ++slot) {
                int i = t + slot * 128;
                if (slot < ((int)((Taps - 4) >> 23) - 11) / 128 || i < (int)((Taps - 4) >> 23) - 11)
                    edge_next[slot] = in[k * 1024 + 500 + i];
            }
            for (int i = 0; i < 500; ++i)
                sum += line_stage[stage][i] * edge_stage[stage][499 - i] * (float)((i + t) & 3);
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < (2 * Width + 100 * Bordered + 128 - 1) / 128; ++slot) {
                int i = t + slot * 128;
                if (slot < (2 * Width + 100 * Bordered) / 128 || i < 2 * Width + 100 * Bordered)
                    line_stage[stage][i] = line_next[slot];
            }
            #pragma unroll
            for (int slot = 0; slot < ((int)((Taps - 4) >> 23) - 11 + 128 - 1) / 128; ++slot) {
                int i = t + slot * 128;
                if (slot < ((int)((Taps - 4) >> 23) - 11) / 128 || i < (int)((Taps - 4) >> 23) - 11)
                    edge_stage[stage][i] = edge_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 500; ++i)
            sum += line_stage[stage][i] * edge_stage[stage][499 - i] * (float)((i + t) & 3);
    }
    out[t] = sum;
}

template __global__ void bordered<true, 200, 3u>(const float *, float *, int);
