// Loops whose test steps to the next tile before it asks, and that pass over some tiles.

#include <cuda_pipeline.h>

// pipelinify: launch kept_channels
//   sizes    channels=0,1,2,3,5,8,13
//   target   channels=512
//   grid     1, 2
//   block    64
//   in:      in  [channels * 64 + 1]
//   w:       in  [2 * channels * 16 + 1]
//   keep:    in  [2 * channels + 1] below(2)
//   out:     out [128]
//   channels: channels
__global__ void kept_channels(const float *__restrict__ in, const float *__restrict__ w, const int *__restrict__ keep,
                              float *__restrict__ out, int channels)
{
    __shared__ float line_stage[2][64];
    __shared__ float taps_stage[2][16];
    float sum = 0.f;
    int c = -1;
    // pipelinify: cp.async, 2 stages, source a81d39c5
    ++c;
    int c_load = c;
    bool more = true;
    for (int load_stage = 0; load_stage < 1; ++load_stage) {
        auto &c = c_load;
        if (more) {
            more = false;
            for (; c < channels; ++c) {
                if (!keep[blockIdx.y * channels + c])
                    continue;
                more = true;
                break;
            }
        }
        if (more) {
            __pipeline_memcpy_async(&line_stage[load_stage][threadIdx.x], &in[c * 64 + threadIdx.x], sizeof(float));
            if (threadIdx.x < 16)
                __pipeline_memcpy_async(&taps_stage[load_stage][threadIdx.x],
                                        &w[(blockIdx.y * channels + c) * 16 + threadIdx.x], sizeof(float));
            ++c;
        }
        __pipeline_commit();
    }
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    for (; c < channels; ++c) {
        if (!keep[blockIdx.y * channels + c])
            continue;
        __pipeline_wait_prior(0);
        __syncthreads();
        {
            auto &c = c_load;
            if (more) {
                more = false;
                for (; c < channels; ++c) {
                    if (!keep[blockIdx.y * channels + c])
                        continue;
                    more = true;
                    break;
                }
            }
            if (more) {
                int load_stage = stage ^ 1;
                __pipeline_memcpy_async(&line_stage[load_stage][threadIdx.x], &in[c * 64 + threadIdx.x], sizeof(float));
                if (threadIdx.x < 16)
                    __pipeline_memcpy_async(&taps_stage[load_stage][threadIdx.x],
                                            &w[(blockIdx.y * channels + c) * 16 + threadIdx.x], sizeof(float));
                ++c;
            }
        }
        __pipeline_commit();
        for (int i = 0; i < 16; ++i)
            sum += taps_stage[stage][i] * line_stage[stage][(threadIdx.x + i) & 63];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.y * 64 + threadIdx.x] = sum + c;
}

// pipelinify: launch from_the_last
//   sizes    tiles=0,1,2,3,8
//   grid     1
//   block    32
//   x:       in  [tiles * 32 + 1]
//   skip:    in  [tiles + 1] below(2)
//   out:     out [32]
//   tiles:   tiles
__global__ void from_the_last(const float *__restrict__ x, const int *__restrict__ skip, float *__restrict__ out, int tiles)
{
    __shared__ float line_stage[2][32];
    float sum = 0.f;
    int t = tiles;
    // pipelinify: cp.async, 2 stages, source bfb5b5c7
    --t;
    int t_load = t;
    bool more = true;
    for (int load_stage = 0; load_stage < 1; ++load_stage) {
        auto &t = t_load;
        if (more) {
            more = false;
            for (; 0 <= t; --t) {
                if (skip[t]) continue;
                more = true;
                break;
            }
        }
        if (more) {
            __pipeline_memcpy_async(&line_stage[load_stage][threadIdx.x], &x[t * 32 + threadIdx.x], sizeof(float));
            --t;
        }
        __pipeline_commit();
    }
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    for (; 0 <= t; --t) {
        if (skip[t]) continue;
        __pipeline_wait_prior(0);
        __syncthreads();
        {
            auto &t = t_load;
            if (more) {
                more = false;
                for (; 0 <= t; --t) {
                    if (skip[t]) continue;
                    more = true;
                    break;
                }
            }
            if (more) {
                int load_stage = stage ^ 1;
                __pipeline_memcpy_async(&line_stage[load_stage][threadIdx.x], &x[t * 32 + threadIdx.x], sizeof(float));
                --t;
            }
        }
        __pipeline_commit();
        for (int i = 0; i < 32; ++i)
            sum = sum * 0.5f + line_stage[stage][(threadIdx.x + i) & 31];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
