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
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < cells; i += 64)
            s[i] = in[t * 512 + i];
        __syncthreads();
        for (int j = 0; j < 8; ++j)
            sum = 3 * sum + s[(threadIdx.x * 9 + 64 * j) % 512];
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
