// How many samples a thread copies is an argument of the template's, or what a build defines.
// Of more of them than the ring has, the later ones are stored over those before: in the
// order of the text, which asynchronous copies do not keep.

#include <cuda_pipeline.h>

#ifndef SAMPLES
#define SAMPLES 64
#endif

// pipelinify: launch last_of_frame<64>
//   sizes    frames=0,1,2,3,4,5
//   grid     1
//   block    64
//   signal:  in  [frames * 64]
//   out:     out [64]
//   frames:  frames
template <int PER_FRAME>
__global__ void last_of_frame(const float *__restrict__ signal, float *__restrict__ out, int frames)
{
    __shared__ float ring[64];
    float sum = 0.0f;
    for (int frame = 0; frame < frames; ++frame) {
        for (int i = threadIdx.x; i < PER_FRAME; i += 64)
            ring[i % 64] = signal[frame * PER_FRAME + i];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += ring[i] * ((i + threadIdx.x) % 7);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

template __global__ void last_of_frame<64>(const float *, float *, int);

// pipelinify: launch last_of_build
//   sizes    frames=0,1,2,3,4,5
//   grid     1
//   block    64
//   signal:  in  [frames * 64]
//   out:     out [64]
//   frames:  frames
__global__ void last_of_build(const float *__restrict__ signal, float *__restrict__ out, int frames)
{
    __shared__ float ring[64];
    float sum = 0.0f;
    for (int frame = 0; frame < frames; ++frame) {
        for (int i = threadIdx.x; i < SAMPLES; i += 64)
            ring[i & 63] = signal[frame * SAMPLES + i];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += ring[i] * ((i + threadIdx.x) % 7);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch rows_of_frame<64>
//   sizes    frames=0,1,2,3,4,5
//   grid     1
//   block    64
//   signal:  in  [frames * 512]
//   out:     out [64]
//   frames:  frames
template <int PER_FRAME>
__global__ void rows_of_frame(const float *__restrict__ signal, float *__restrict__ out, int frames)
{
    __shared__ __align__(16) float rows_stage[2][PER_FRAME / 8][64];
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source f4e8804d
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 64 && (PER_FRAME * 8) % 4 == 0 && (size_t)signal % 16 == 0;
    int frame_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (frame_load < frames) {
            // Each of them has a cell of its own, however many there are.
            if (joined) {
                for (int i = 4 * threadIdx.x; i < PER_FRAME * 8; i += 4 * 64)
                    __pipeline_memcpy_async(&rows_stage[load_stage][i / 64][i % 64],
                                            &signal[frame_load * PER_FRAME * 8 + i], 16);
            } else {
                for (int i = threadIdx.x; i < PER_FRAME * 8; i += 64)
                    __pipeline_memcpy_async(&rows_stage[load_stage][i / 64][i % 64],
                                            &signal[frame_load * PER_FRAME * 8 + i], sizeof(float));
            }
            ++frame_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int frame = 0; frame < frames; ++frame) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int r = 0; r < PER_FRAME / 8; ++r)
            sum += rows_stage[stage][r][threadIdx.x] * rows_stage[stage][r][63 - threadIdx.x];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}

template __global__ void rows_of_frame<64>(const float *, float *, int);

// What is behind a frame is stored over what more samples of it would come to.
//
// pipelinify: launch tail_of_frame
//   sizes    frames=0,1,2,3,4,5
//   grid     1
//   block    64
//   signal:  in  [frames * 128 + 64]
//   tail:    in  [frames * 64]
//   out:     out [64]
//   frames:  frames
__global__ void tail_of_frame(const float *__restrict__ signal, const float *__restrict__ tail,
                              float *__restrict__ out, int frames)
{
    __shared__ float window[128];
    float sum = 0.0f;
    for (int frame = 0; frame < frames; ++frame) {
        for (int i = threadIdx.x; i < SAMPLES; i += 64)
            window[i] = signal[frame * SAMPLES + i];
        window[64 + threadIdx.x] = tail[frame * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += window[i] * ((i + threadIdx.x) % 7);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
