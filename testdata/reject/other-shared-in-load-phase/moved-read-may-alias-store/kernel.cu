#define BLOCK 64

// Every block blends its running sum with what its neighbours wrote into the
// exchange row one tile ago; `seen` and `shown` may be the same row.
__global__ void blend_neighbours(const float *samples, const float *seen, float *shown, int tiles)
{
    __shared__ float tile[BLOCK];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = samples[t * BLOCK + threadIdx.x];
        sum += seen[blockIdx.x * BLOCK + (threadIdx.x ^ 5)];
        __syncthreads();
        for (int j = 0; j < BLOCK; ++j)
            sum += tile[j] * j;
        shown[blockIdx.x * BLOCK + threadIdx.x] = sum;
        __syncthreads();
    }
}
