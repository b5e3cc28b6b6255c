// How many samples a thread copies is an argument of the template's, or what a build defines.
// Of more of them than the ring has, the later ones are stored over those before: in the
// order of the text, which asynchronous copies do not keep.

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
    // pipelinify: ldg-single, 1 stage, source 1d861d5a
    int frame = 0;
    if (frame < frames) {
        for (int i = threadIdx.x; i < PER_FRAME; i += 64)
            ring[i % 64] = signal[frame * PER_FRAME + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++frame; frame < frames; ++frame) {
            float ring_next[(PER_FRAME + 64 - 1) / 64];
            #pragma unroll
            for (int slot = 0; slot < (PER_FRAME + 64 - 1) / 64; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < PER_FRAME / 64 || i < PER_FRAME)
                    ring_next[slot] = signal[frame * PER_FRAME + i];
            }
            for (int i = 0; i < 64; ++i)
                sum += ring[i] * ((i + threadIdx.x) % 7);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < (PER_FRAME + 64 - 1) / 64; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < PER_FRAME / 64 || i < PER_FRAME)
                    ring[i % 64] = ring_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += ring[i] * ((i + threadIdx.x) % 7);
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
    // pipelinify: ldg-single, 1 stage, source 50d793fc
    int frame = 0;
    if (frame < frames) {
        for (int i = threadIdx.x; i < SAMPLES; i += 64)
            ring[i & 63] = signal[frame * SAMPLES + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++frame; frame < frames; ++frame) {
            float ring_next[(SAMPLES + 64 - 1) / 64];
            #pragma unroll
            for (int slot = 0; slot < (SAMPLES + 64 - 1) / 64; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < SAMPLES / 64 || i < SAMPLES)
                    ring_next[slot] = signal[frame * SAMPLES + i];
            }
            for (int i = 0; i < 64; ++i)
                sum += ring[i] * ((i + threadIdx.x) % 7);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < (SAMPLES + 64 - 1) / 64; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < SAMPLES / 64 || i < SAMPLES)
                    ring[i & 63] = ring_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += ring[i] * ((i + threadIdx.x) % 7);
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
    __shared__ float rows[PER_FRAME / 8][64];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source f4e8804d
    int frame = 0;
    if (frame < frames) {
        // Each of them has a cell of its own, however many there are.
        for (int i = threadIdx.x; i < PER_FRAME * 8; i += 64)
            rows[i / 64][i % 64] = signal[frame * PER_FRAME * 8 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++frame; frame < frames; ++frame) {
            float rows_next[(PER_FRAME * 8 + 64 - 1) / 64];
            // Each of them has a cell of its own, however many there are.
            #pragma unroll
            for (int slot = 0; slot < (PER_FRAME * 8 + 64 - 1) / 64; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < (PER_FRAME * 8) / 64 || i < PER_FRAME * 8)
                    rows_next[slot] = signal[frame * PER_FRAME * 8 + i];
            }
            for (int r = 0; r < PER_FRAME / 8; ++r)
                sum += rows[r][threadIdx.x] * rows[r][63 - threadIdx.x];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < (PER_FRAME * 8 + 64 - 1) / 64; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < (PER_FRAME * 8) / 64 || i < PER_FRAME * 8)
                    rows[i / 64][i % 64] = rows_next[slot];
            }
            __syncthreads();
        }
        for (int r = 0; r < PER_FRAME / 8; ++r)
            sum += rows[r][threadIdx.x] * rows[r][63 - threadIdx.x];
    }
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
    // pipelinify: ldg-single, 1 stage, source 8a3b8929
    int frame = 0;
    if (frame < frames) {
        for (int i = threadIdx.x; i < SAMPLES; i += 64)
            window[i] = signal[frame * SAMPLES + i];
        window[64 + threadIdx.x] = tail[frame * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++frame; frame < frames; ++frame) {
            float window_next[(SAMPLES + 64 - 1) / 64];
            #pragma unroll
            for (int slot = 0; slot < (SAMPLES + 64 - 1) / 64; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < SAMPLES / 64 || i < SAMPLES)
                    window_next[slot] = signal[frame * SAMPLES + i];
            }
            float window_next2 = tail[frame * 64 + threadIdx.x];
            for (int i = 0; i < 128; ++i)
                sum += window[i] * ((i + threadIdx.x) % 7);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < (SAMPLES + 64 - 1) / 64; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < SAMPLES / 64 || i < SAMPLES)
                    window[i] = window_next[slot];
            }
            window[64 + threadIdx.x] = window_next2;
            __syncthreads();
        }
        for (int i = 0; i < 128; ++i)
            sum += window[i] * ((i + threadIdx.x) % 7);
    }
    out[threadIdx.x] = sum;
}
