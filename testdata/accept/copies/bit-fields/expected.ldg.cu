// Records of bit fields: what they hold is loaded and stored by name, and has no address that
// an asynchronous copy could take.
#include <cuda_runtime.h>

struct Sample {
    unsigned level : 12;
    unsigned channel : 4;
    int offset : 16;
};

// Levels of one channel, out of packed samples.
//
// pipelinify: launch channel_levels
//   sizes   n=0,1,2,3,4,7
//   target  n=60000
//   grid    2
//   block   64
//   in:     in  [n * 128] random
//   out:    out [128]
//   n:      n
//   wanted: 5
__global__ void __launch_bounds__(64) channel_levels(const Sample *__restrict__ in, int *__restrict__ out, int n,
                                                     unsigned wanted)
{
    __shared__ unsigned level_stage[2][64], channel_stage[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    // pipelinify: ldg, 2 stages, source b412dca0
    int i = 0, stage = 0;
    if (i < n) {
        {
            const size_t at = ((size_t)i * gridDim.x + blockIdx.x) * 64 + t;
            level_stage[0][t] = in[at].level;
            channel_stage[0][t] = in[at].channel;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < n; ++i) {
            const size_t at = ((size_t)i * gridDim.x + blockIdx.x) * 64 + t;
            unsigned int level_next = in[at].level;
            unsigned int channel_next = in[at].channel;
            for (int k = 0; k < 64; ++k)
                if (channel_stage[stage][k] == wanted)
                    sum += (int)level_stage[stage][k] * ((k ^ t) & 3);
            stage ^= 1;
            level_stage[stage][t] = level_next;
            channel_stage[stage][t] = channel_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            if (channel_stage[stage][k] == wanted)
                sum += (int)level_stage[stage][k] * ((k ^ t) & 3);
    }
    out[blockIdx.x * 64 + t] = sum;
}

// Offsets that are packed beside the thread that has loaded them.
//
// pipelinify: launch packed_offsets
//   sizes  n=0,1,2,3,4,7
//   target n=60000
//   grid   2
//   block  64
//   in:    in  [n * 128] range(-3000, 3000)
//   out:   out [128]
//   n:     n
__global__ void __launch_bounds__(64) packed_offsets(const int *__restrict__ in, int *__restrict__ out, int n)
{
    __shared__ Sample kept_stage[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    // pipelinify: ldg, 2 stages, source e807a433
    int i = 0, stage = 0;
    if (i < n) {
        kept_stage[0][t].offset = in[((size_t)i * gridDim.x + blockIdx.x) * 64 + t];
        kept_stage[0][t].level = t;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < n; ++i) {
            int kept_next = in[((size_t)i * gridDim.x + blockIdx.x) * 64 + t];
            for (int k = 0; k < 64; ++k)
                sum += kept_stage[stage][k ^ t].offset * (int)kept_stage[stage][k].level;
            stage ^= 1;
            kept_stage[stage][t].offset = kept_next;
            kept_stage[stage][t].level = t;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum += kept_stage[stage][k ^ t].offset * (int)kept_stage[stage][k].level;
    }
    out[blockIdx.x * 64 + t] = sum;
}
