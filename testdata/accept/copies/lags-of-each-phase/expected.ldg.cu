// A filter bank whose phases lag behind by what a table says: each thread looks its own lag up
// once. A block has more threads than a copy loop steps by, and the second half of them copies
// what the first half does: a thread that copied for another one would take the wrong lag.

#define PHASES 64
#define WINDOW 256

// pipelinify: launch filter_bank
//   sizes n=0,1,2,3,5 block=64,128
//   grid  2
//   block block
//   signal: in [n * 256 + 512]
//   lag: in [64] below(200)
//   taps: in [4]
//   out: out [2 * block]
//   n: n
__global__ void filter_bank(const short *__restrict__ signal, const int *__restrict__ lag,
                            const int *__restrict__ taps, int *__restrict__ out, int n)
{
    __shared__ short window_stage[2][WINDOW];
    const int phase = threadIdx.x % PHASES;
    const int off = lag[phase];
    int sum = 0;
    // pipelinify: ldg, 2 stages, source e7b9a126
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = threadIdx.x; i < WINDOW; i += PHASES)
            window_stage[0][i] = signal[t * WINDOW + off + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short window_next[WINDOW / PHASES];
            #pragma unroll
            for (int slot = 0; slot < WINDOW / PHASES; ++slot) {
                int i = threadIdx.x + slot * PHASES;
                if (i < WINDOW)
                    window_next[slot] = signal[t * WINDOW + off + i];
            }
            for (int tap = 0; tap < 4; ++tap)
                sum += taps[tap] *
                       window_stage[stage][(phase + tap * PHASES + blockIdx.x) % WINDOW];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < WINDOW / PHASES; ++slot) {
                int i = threadIdx.x + slot * PHASES;
                if (i < WINDOW)
                    window_stage[stage][i] = window_next[slot];
            }
            __syncthreads();
        }
        for (int tap = 0; tap < 4; ++tap)
            sum += taps[tap] * window_stage[stage][(phase + tap * PHASES + blockIdx.x) % WINDOW];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
