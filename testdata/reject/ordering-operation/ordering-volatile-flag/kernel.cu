// Waits until the host (or another kernel) has published the tile.
__global__ void consume_published(const float *__restrict__ tiles,
                                  volatile const int *ready,
                                  float *__restrict__ out, int count)
{
    __shared__ float tile[128];
    float s = 0.f;
    for (int t = 0; t < count; ++t) {
        while (ready[t] == 0) { }
        tile[threadIdx.x] = tiles[t * 128 + threadIdx.x];
        __syncthreads();
        s += tile[127 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 128 + threadIdx.x] = s;
}
