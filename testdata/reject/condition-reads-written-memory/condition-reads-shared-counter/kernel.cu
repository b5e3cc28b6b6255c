// The block may cut its own work short: thread 0 lowers the shared tile count.
#define LANES 128

__global__ void bounded_search(const int *__restrict__ keys, int *__restrict__ where,
                               int total, int needle)
{
    __shared__ int tile[LANES];
    __shared__ int tilesLeft;
    const int tid = threadIdx.x;
    int found = -1;

    if (tid == 0) tilesLeft = total / LANES;
    __syncthreads();

    for (int t = 0; t < tilesLeft; ++t) {
        tile[tid] = keys[t * LANES + tid];
        __syncthreads();
        if (tile[tid] <= needle && tile[(tid + 1) % LANES] > needle)
            found = t * LANES + tid;
        if (tid == 0 && tile[LANES - 1] > needle)
            tilesLeft = t + 1;
        __syncthreads();
    }
    where[blockIdx.x * LANES + tid] = found;
}
