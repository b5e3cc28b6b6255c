// The head exchanges values in one instantiation alone: its barrier stays in the text that all of them share.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <bool Mirror, class T>
__device__ void leave(T *board, T value, int at, int size)
{
    if constexpr (Mirror)
        board[size - 1 - at] = value;
}

// pipelinify: launch blend<true, float>
//   sizes  steps=0,1,2,5
//   target steps=4096
//   grid   1
//   block  128
//   in_:   in  [steps * 128] random
//   out_:  out [128]
//   steps: steps
// pipelinify: launch blend<false, float>
//   sizes  steps=0,1,2,5
//   target steps=4096
//   grid   1
//   block  128
//   in_:   in  [steps * 128] random
//   out_:  out [128]
//   steps: steps
template <bool Mirror, class T>
__global__ void blend(const T *__restrict__ in_, T *__restrict__ out_, int steps)
{
    constexpr int stages = 8;
    __shared__ T tile_stage[stages][128];
    __shared__ T board[128];
    const int x = threadIdx.x;
    T sum = x;
    board[x] = 1;
    __syncthreads();

    // pipelinify: cp.async, 8 stages, source fb5f4cde
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int s_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (s_load < steps) {
            __pipeline_memcpy_async(&tile_stage[load_stage][x], &in_[s_load * 128 + x], sizeof(T));
            ++s_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int s = 0; s < steps; ++s) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        leave<Mirror, T>(board, sum, x, 128);
        __syncthreads();
        T part = 0;
        for (int k = 0; k < 128; ++k)
            part += tile_stage[stage][k] * tile_stage[stage][(k + x) & 127];
        sum = part - board[x];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();

    out_[x] = sum;
}

void blend_both(const float *in_, float *out_, int steps)
{
    blend<true, float><<<1, 128>>>(in_, out_, steps);
    blend<false, float><<<1, 128>>>(in_, out_, steps);
}
