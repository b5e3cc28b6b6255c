// Behind the loop the tile is asked for, by a pointer that was made ahead of it: where the
// block has left by its vote, that is the tile of the last iteration, not the next one.
__global__ void last_of_tile(const int *__restrict__ values, int *__restrict__ out, int n)
{
    extern __shared__ int block_memory[];
    const int threads = blockDim.x;
    int *tile = block_memory;
    int *last = &tile[threads - 1];
    int sum = 0;
    for (int batch = 0; batch < n; ++batch) {
        if (__syncthreads_or(sum > 1000))
            break;
        tile[threadIdx.x] = values[batch * threads + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < threads; ++j)
            sum += tile[j] * (threadIdx.x + j);
    }
    out[blockIdx.x * threads + threadIdx.x] = sum + *last;
}

__device__ int first_of(const int *cells) { return cells[0]; }

// The same by a function, in an outer loop that reads ahead of the inner one.
__global__ void first_of_tile(const int *__restrict__ values, int *__restrict__ out, int n)
{
    __shared__ int tile[64];
    int sum = 0;
    tile[threadIdx.x] = 0;
    for (int row = 0; row < n; ++row) {
        __syncthreads();
        int before = first_of(tile);
        for (int batch = 0; batch < n; ++batch) {
            if (__syncthreads_or(sum > 1000 * (row + 1)))
                break;
            tile[threadIdx.x] = values[(row * n + batch) * 64 + threadIdx.x];
            __syncthreads();
            for (int j = 0; j < 64; ++j)
                sum += tile[j] * (threadIdx.x + j);
        }
        sum += before;
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
