// The head exchanges values in one instantiation alone: its barrier stays in the text that all of them share.
#include <cuda_runtime.h>

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
    __shared__ T tile_stage[2][128];
    __shared__ T board[128];
    const int x = threadIdx.x;
    T sum = x;
    board[x] = 1;
    __syncthreads();

    // pipelinify: ldg, 2 stages, source fb5f4cde
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    int s = 0, stage = 0;
    if (s < steps) {
        auto compute_tile = [&]() {
            leave<Mirror, T>(board, sum, x, 128);
            __syncthreads();
            T part = 0;
            for (int k = 0; k < 128; ++k)
                part += tile_stage[stage][k] * tile_stage[stage][(k + x) & 127];
            sum = part - board[x];
        };
        tile_stage[0][x] = in_[s * 128 + x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++s; s < steps; ++s) {
            T tile_next = in_[s * 128 + x];
            compute_tile();
            stage ^= 1;
            tile_stage[stage][x] = tile_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }

    out_[x] = sum;
}

void blend_both(const float *in_, float *out_, int steps)
{
    blend<true, float><<<1, 128>>>(in_, out_, steps);
    blend<false, float><<<1, 128>>>(in_, out_, steps);
}
