// Template arguments have the types of their parameters: true counts as one, a byte
// is promoted before it is added to, an unsigned one wraps.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    __shared__ __align__(16) float line_stage[2][400 + 100];
    __shared__ __align__(16) float edge_stage[2][400 + 100];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source e5239e88
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 128 && (2 * Width + 100 * Bordered) % 4 == 0 &&
                        (size_t)in % 16 == 0 && ((int)((Taps - 4) >> 23) - 11) % 4 == 0;
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < tiles) {
            if (joined) {
                for (int i = 4 * t; i < 2 * Width + 100 * Bordered; i += 4 * 128)
                    __pipeline_memcpy_async(&line_stage[load_stage][i], &in[k_load * 1024 + i], 16);
                for (int i = 4 * t; i < (int)((Taps - 4) >> 23) - 11; i += 4 * 128)
                    __pipeline_memcpy_async(&edge_stage[load_stage][i],
                                            &in[k_load * 1024 + 500 + i], 16);
            } else {
                for (int i = t; i < 2 * Width + 100 * Bordered; i += 128)
                    __pipeline_memcpy_async(&line_stage[load_stage][i], &in[k_load * 1024 + i],
                                            sizeof(float));
                for (int i = t; i < (int)((Taps - 4) >> 23) - 11; i += 128)
                    __pipeline_memcpy_async(&edge_stage[load_stage][i],
                                            &in[k_load * 1024 + 500 + i], sizeof(float));
            }
            ++k_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 500; ++i)
            sum += line_stage[stage][i] * edge_stage[stage][499 - i] * (float)((i + t) & 3);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[t] = sum;
}

template __global__ void bordered<true, 200, 3u>(const float *, float *, int);
