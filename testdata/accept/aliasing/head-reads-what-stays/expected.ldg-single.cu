// Ahead of the loads the body reads a table of its own and an array that no thread changes: no barrier stays for that.
#include <cuda_runtime.h>

// pipelinify: launch mix
//   sizes  frames=0,1,2,5
//   target frames=8192
//   grid   1
//   block  128
//   sound: in  [frames * 128] random
//   gain:  in  [frames] random
//   out_:  out [128]
//   frames: frames
__global__ void mix(const float *__restrict__ sound, const float *__restrict__ gain,
                    float *__restrict__ out_, int frames)
{
    __shared__ float frame[128];
    __shared__ float window[128];
    const int s = threadIdx.x;
    window[s] = 0.5f - 0.003f * s;
    __syncthreads();
    float y = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 0de6ae17
    int f = 0, f_tile = f;
    if (f < frames) {
        auto compute_tile = [&]() {
            const float g = gain[f_tile] * window[127 - s];
            for (int k = 0; k < 128; ++k)
                y += g * frame[k] * window[(k + s) & 127];
        };
        frame[s] = sound[f * 128 + s];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++f; f < frames; ++f) {
            float frame_next = sound[f * 128 + s];
            compute_tile();
            ++f_tile;
            __syncthreads();
            frame[s] = frame_next;
            __syncthreads();
        }
        compute_tile();
    }

    out_[s] = y;
}
