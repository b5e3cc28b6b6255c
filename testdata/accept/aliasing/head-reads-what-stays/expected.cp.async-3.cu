// Ahead of the loads the body reads a table of its own and an array that no thread changes: no barrier stays for that.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    constexpr int stages = 3;
    __shared__ float frame_stage[stages][128];
    __shared__ float window[128];
    const int s = threadIdx.x;
    window[s] = 0.5f - 0.003f * s;
    __syncthreads();
    float y = 0.0f;

    // pipelinify: cp.async, 3 stages, source 0de6ae17
    int f_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (f_load < frames) {
            __pipeline_memcpy_async(&frame_stage[load_stage][s], &sound[f_load * 128 + s], sizeof(float));
            ++f_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int f = 0; f < frames; ++f) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const float g = gain[f] * window[127 - s];
        for (int k = 0; k < 128; ++k)
            y += g * frame_stage[stage][k] * window[(k + s) & 127];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    out_[s] = y;
}
