#define BINS 256

// Private histograms, merged after every chunk. There is no tile: the shared
// array starts at zero and is counted up.
__global__ void histogram_chunks(const unsigned char *__restrict__ data,
                                 unsigned *__restrict__ histo, int chunk, int chunks)
{
    __shared__ unsigned local[BINS];
    const int tid = threadIdx.x;

    for (int c = blockIdx.x; c < chunks; c += gridDim.x) {
        local[tid] = 0;
        __syncthreads();
        for (int i = tid; i < chunk; i += BINS)
            atomicAdd(&local[data[(size_t)c * chunk + i]], 1u);
        __syncthreads();
        atomicAdd(&histo[tid], local[tid]);
        __syncthreads();
    }
}
