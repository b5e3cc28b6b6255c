// Pipelined by hand: lambdas fetch a slice ahead, wait for the next one and
// compute; the loops only say in which order. Each block takes several columns.
#include <cuda_runtime.h>

constexpr int STAGES = 4, SLICE = 256;

__device__ inline void fetch4(void *cell, const void *from, bool wanted)
{
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(cell));
    asm volatile("{\n"
                 "  .reg .pred p;\n"
                 "  setp.ne.b32 p, %0, 0;\n"
                 "  @p cp.async.cg.shared.global [%1], [%2], 16;\n"
                 "}\n" ::"r"((int)wanted), "r"(at), "l"(from));
}

__device__ inline void end_of_batch() { asm volatile("cp.async.commit_group;\n" ::); }

template <int N> __device__ inline void batches_left()
{
    asm volatile("cp.async.wait_group %0;\n" ::"n"(N));
}

__global__ void weighted_columns(const float4 *__restrict__ in, const float *__restrict__ weights,
                                 float *__restrict__ out, int slices, int columns)
{
    extern __shared__ float4 ring[];
    __shared__ float partial[SLICE], scale[SLICE];
    int left = slices, column = blockIdx.x, from = 0;
    float sum = 0;

    auto fetch = [&](int stage, bool wanted) {
        fetch4(&ring[stage * SLICE + threadIdx.x], &in[(column * slices + from) * SLICE + threadIdx.x], wanted);
        ++from;
        end_of_batch();
    };
    auto wait_for_slice = [&]() {
        batches_left<STAGES - 2>();
        __syncthreads();
    };
    auto add = [&](int stage) {
        const float4 v = ring[stage * SLICE + (threadIdx.x ^ 1)];
        sum += v.x + 2.0f * v.y + 3.0f * v.z + 4.0f * v.w;
    };
    auto reduce = [&]() {
        partial[threadIdx.x] = sum;
        __syncthreads();
        for (int half = SLICE / 2; half > 0; half /= 2)
        {
            if (threadIdx.x < half)
                partial[threadIdx.x] += partial[threadIdx.x + half];
            __syncthreads();
        }
    };
    auto weigh = [&]() {
        for (int w = 0; w < columns; w += SLICE)
        {
            scale[threadIdx.x] = weights[w + threadIdx.x];
            __syncthreads();
            sum *= scale[(threadIdx.x + 1) % SLICE];
            __syncthreads();
        }
    };

    for (int s = 0; s < STAGES - 1; ++s)
        fetch(s, s < left);
    wait_for_slice();
    while (left)
    {
        for (int stage = 0; stage < STAGES;)
        {
            fetch((stage + STAGES - 1) % STAGES, left >= STAGES);
            add(stage % STAGES);
            ++stage;
            wait_for_slice();
            if (--left == 0)
                break;
        }
        if (left == 0)
        {
            batches_left<0>();
            __syncthreads();
            weigh();
            reduce();
            if (threadIdx.x == 0)
                out[column] = partial[0];
            column += gridDim.x;
            left = column < columns ? slices : 0;
            from = 0;
            sum = 0;
            for (int s = 0; left && s < STAGES - 1; ++s)
                fetch(s, s < left);
            wait_for_slice();
        }
    }
}
