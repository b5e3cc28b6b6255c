// Compute that reads global memory of its own, each thread in one place: that is in a register
// while the loop runs, and loading tiles ahead pays as in any other loop.
#include <cuda_runtime.h>

#define PATTERNS 64

// pipelinify: launch near_patterns
//   sizes    np=0,63,64,128,200 nk=64,128
//   target   np=4096 nk=65536
//   grid     nk / 64
//   block    64
//   keys:    in  [nk]
//   pat:     in  [np + 1]
//   found:   out [nk]
//   np:      np
extern "C" __global__ void near_patterns(const unsigned *keys, const unsigned *pat, unsigned *found,
                                         int np)
{
    __shared__ unsigned win[PATTERNS];
    unsigned cnt = 0;
    int i, j;

    // pipelinify: ldg-single, 1 stage, source c1a46651
    i = 0;
    if (i + PATTERNS <= np) {
        win[threadIdx.x] = pat[i + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += PATTERNS; i + PATTERNS <= np; i += PATTERNS) {
            unsigned int win_next = pat[i + threadIdx.x];
            for (j = 0; j < PATTERNS; j++)
                cnt += __popc(win[j] ^ keys[blockIdx.x * PATTERNS + threadIdx.x]) < 14;
            __syncthreads();
            win[threadIdx.x] = win_next;
            __syncthreads();
        }
        for (j = 0; j < PATTERNS; j++)
            cnt += __popc(win[j] ^ keys[blockIdx.x * PATTERNS + threadIdx.x]) < 14;
        __syncthreads();
    }
    found[blockIdx.x * PATTERNS + threadIdx.x] = cnt;
}
