// The pointer into the tile is set before the loop and walks on: the second tile's cells lie behind
// the first one's.
__global__ void __launch_bounds__(64)
walk_on(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float ring[4096];
    const int t = threadIdx.x;
    float *to = ring + t;
    float s = 0.f;
    for (int k = 0; k < tiles; ++k) {
        for (int i = t; i < 256; i += 64) {
            *to = x[k * 256 + i];
            to += 64;
        }
        __syncthreads();
        s += ring[k * 256 + (t * 7) % 256];
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = s;
}
