// A debugging hook that was left in: the tile's address is put where a later
// call can find it.
__device__ float *g_lastTile;

__global__ void observed_sum(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float buf[128];
    float s = 0.f;
    for (int i = 0; i < n; i += 128) {
        buf[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0) g_lastTile = buf;
        s += buf[127 - threadIdx.x];
        __syncthreads();
    }
    y[blockIdx.x * 128 + threadIdx.x] = s;
}
