// Each tile's sums are left in memory by what a helper is handed; nothing says
// that they lie apart from the tiles to come.
template <class F>
__device__ void for_lanes(int n, F &&f)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        f(i);
}

__global__ void tile_sums(const float *x, float *sums, int tiles)
{
    __shared__ float s[128];
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[t * 128 + threadIdx.x];
        __syncthreads();
        for_lanes(64, [&](int i) { sums[t * 64 + i] = s[i] + s[i + 64]; });
        __syncthreads();
    }
}
