// How many cells there are asks for the type of its own name, which stands for nothing else.

// pipelinify: launch block_sums
//   sizes  n=0,1,2,3,4,5,7
//   grid   2
//   block  64
//   target n=65536
//   in:    in  [n * 512] random
//   out:   out [128]
//   n:     n
__global__ void block_sums(const short *__restrict__ in, int *__restrict__ out, int n)
{
    __shared__ short s[512];
    const int cells = sizeof(cells) * 128;
    int sum = 0;
    // pipelinify: ldg-single, 1 stage, source 04fb1e2b
    int t = 0;
    if (t < n) {
        for (int i = threadIdx.x; i < cells; i += 64)
            s[i] = in[t * 512 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = threadIdx.x + slot * 64;
                if (i < cells)
                    s_next[slot] = in[t * 512 + i];
            }
            for (int j = 0; j < 8; ++j)
                sum = 3 * sum + s[(threadIdx.x * 9 + 64 * j) % 512];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = threadIdx.x + slot * 64;
                if (i < cells)
                    s[i] = s_next[slot];
            }
            __syncthreads();
        }
        for (int j = 0; j < 8; ++j)
            sum = 3 * sum + s[(threadIdx.x * 9 + 64 * j) % 512];
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
