#define TILE 128

// Running averages go out after every tile; nothing says that `avg` and
// `samples` are different buffers.
__global__ void running_average(const float *samples, float *avg, int tiles)
{
    __shared__ float s[TILE];
    float total = 0.f;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = samples[t * TILE + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < TILE; j += 4)
            total += s[(threadIdx.x + j) % TILE];
        avg[(blockIdx.x * tiles + t) * TILE + threadIdx.x] = total / (t + 1);
        __syncthreads();
    }
}
