// Copy loops whose counters begin below zero, and are unsigned or wider than what they begin
// with: such a thread makes no iteration at all, which a sum of its place and so many steps
// would not say.

#include <cuda_pipeline.h>

// pipelinify: launch taps_behind_a_lead
//   sizes    frames=0,1,2,3,4,5
//   grid     1
//   block    128
//   signal:  in  [frames * 96 + 128]
//   out:     out [128]
//   frames:  frames
__global__ void __launch_bounds__(128) taps_behind_a_lead(const float *__restrict__ signal, float *__restrict__ out, int frames)
{
    __shared__ float taps[128];
    taps[threadIdx.x] = 0.25f * threadIdx.x;
    __syncthreads();
    float sum = 0.0f;
    for (int frame = 0; frame < frames; ++frame) {
        // The last 32 taps are those from before the loop.
        for (size_t i = (int)threadIdx.x - 32; i < 128; i += 128)
            taps[i] = signal[frame * 96 + i];
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += taps[i] * ((i + threadIdx.x) % 7);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch two_rounds_for_most
//   sizes    frames=0,1,2,3,4,5 lead=0,5,32
//   requires lead <= 32
//   grid     1
//   block    128
//   signal:  in  [frames * 256 + 256]
//   out:     out [128]
//   frames:  frames
//   lead:    lead
__global__ void two_rounds_for_most(const float *__restrict__ signal, float *__restrict__ out, int frames, unsigned lead)
{
    __shared__ float window[256];
    for (int i = threadIdx.x; i < 256; i += 128)
        window[i] = 1.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int frame = 0; frame < frames; ++frame) {
        for (unsigned i = threadIdx.x - lead; i < 256; i += 128)
            window[i] = signal[frame * 256 + i];
        __syncthreads();
        for (int i = 0; i < 256; ++i)
            sum += window[i] * ((i + threadIdx.x) % 5);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch halo_to_the_left
//   sizes    n=0,1,2,3,4,5
//   grid     1
//   block    160
//   row:     in  [n * 128 + 160]
//   out:     out [160]
//   n:       n
__global__ void halo_to_the_left(const float *__restrict__ row, float *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ float cells_stage[stages][160];
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source 8397ae70
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            // Signed, and asked of each cell: all threads copy.
            for (int i = (int)threadIdx.x - 16; i < 144; i += blockDim.x) {
                if (i < 0 && !t_load) {
                    cells_stage[load_stage][i + 16] = 0.0f;
                } else {
                    __pipeline_memcpy_async(&cells_stage[load_stage][i + 16], &row[t_load * 128 + i], sizeof(float));
                }
            }
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 160; ++i)
            sum += cells_stage[stage][i] * ((i + threadIdx.x) % 3);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
