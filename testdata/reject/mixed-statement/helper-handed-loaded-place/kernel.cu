// Where the helper stores to is read from memory: the store would have to wait for that once more. (The
// helper returns early, so that its statements cannot stand in the place of the call.)
__device__ __forceinline__ void place(short *tile, int at, const short *__restrict__ src)
{
    if (at < 0)
        return;
    tile[at & 63] = src[threadIdx.x];
}

__global__ void permuted_sums(const short *__restrict__ a, const int *__restrict__ order, int *__restrict__ y, int n)
{
    __shared__ short tile[64];
    int sum = 0;
    for (int k = 0; k < n; k += 64) {
        place(tile, order[threadIdx.x], a + k);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
