__device__ unsigned g_misses;

// Looks innocent at the call; the body counts what it could not find.
__device__ float lookup(const float *__restrict__ table, int key, int size)
{
    if (key < 0 || key >= size) {
        g_misses += 1;
        return 0.f;
    }
    return table[key];
}

__global__ void gather_tiles(const float *__restrict__ table, const int *__restrict__ keys,
                             float *__restrict__ out, int size, int tiles)
{
    __shared__ float got[128];
    float s = 0.f;
    for (int t = 0; t < tiles; ++t) {
        got[threadIdx.x] = lookup(table, keys[t * 128 + threadIdx.x], size);
        __syncthreads();
        for (int j = 0; j < 128; j += 8) s += got[(j + threadIdx.x) & 127];
        __syncthreads();
    }
    out[blockIdx.x * 128 + threadIdx.x] = s;
}
