// Words of a byte stream, which begin anywhere in it.
typedef unsigned int word_anywhere __attribute__((aligned(1)));

__global__ void __launch_bounds__(64)
stream_sums(const unsigned char *__restrict__ stream, unsigned int *__restrict__ sums, int skip,
            int tiles)
{
    __shared__ unsigned int word[64];
    const int t = threadIdx.x;
    unsigned int sum = 0;
    // pipelinify: variant=cp.async
    for (int k = 0; k < tiles; ++k) {
        word[t] = *reinterpret_cast<const word_anywhere *>(stream + skip + (k * 64 + t) * 4);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum = sum * 31u + word[(j + t) % 64];
        __syncthreads();
    }
    sums[blockIdx.x * 64 + t] = sum;
}
