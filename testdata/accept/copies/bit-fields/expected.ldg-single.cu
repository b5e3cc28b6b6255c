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
    __shared__ unsigned level[64], channel[64];
    const int t = threadIdx.x;
    int sum = 0;
    // pipelinify: ldg-single, 1 stage, source b412dca0
    int i = 0;
    if (i < n) {
        {
            const size_t at = ((size_t)i * gridDim.x + blockIdx.x) * 64 + t;
            level[t] = in[at].level;
            channel[t] = in[at].channel;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < n; ++i) {
            const size_t at = ((size_t)i * gridDim.x + blockIdx.x) * 64 + t;
            unsigned int level_next = in[at].level;
            unsigned int channel_next = in[at].channel;
            for (int k = 0; k < 64; ++k)
                if (channel[k] == wanted)
                    sum += (int)level[k] * ((k ^ t) & 3);
            __syncthreads();
            level[t] = level_next;
            channel[t] = channel_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            if (channel[k] == wanted)
                sum += (int)level[k] * ((k ^ t) & 3);
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
    __shared__ Sample kept[64];
    const int t = threadIdx.x;
    int sum = 0;
    // pipelinify: ldg-single, 1 stage, source e807a433
    int i = 0;
    if (i < n) {
        kept[t].offset = in[((size_t)i * gridDim.x + blockIdx.x) * 64 + t];
        kept[t].level = t;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < n; ++i) {
            int kept_next = in[((size_t)i * gridDim.x + blockIdx.x) * 64 + t];
            for (int k = 0; k < 64; ++k)
                sum += kept[k ^ t].offset * (int)kept[k].level;
            __syncthreads();
            kept[t].offset = kept_next;
            kept[t].level = t;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum += kept[k ^ t].offset * (int)kept[k].level;
    }
    out[blockIdx.x * 64 + t] = sum;
}
