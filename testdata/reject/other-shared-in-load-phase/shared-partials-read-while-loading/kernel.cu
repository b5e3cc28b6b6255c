// Thread 0 sums the previous tile's warp partials at the top of the loop, next
// to the load: the barrier at the end of the body orders `part` too.
__global__ void __launch_bounds__(128)
tile_energies(const float *__restrict__ x, float *__restrict__ total, int tiles)
{
    __shared__ float tile[128];
    __shared__ float part[4];
    const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    float energy = 0.f;

    if (tid < 4) part[tid] = 0.f;
    __syncthreads();
    for (int k = 0; k < tiles; ++k) {
        if (tid == 0) energy += part[0] + part[1] + part[2] + part[3];
        tile[tid] = x[k * 128 + tid];
        __syncthreads();
        float e = tile[tid] * tile[127 - tid];
        for (int d = 16; d > 0; d >>= 1)
            e += __shfl_down_sync(~0u, e, d);
        if (lane == 0) part[warp] = e;
        __syncthreads();
    }
    if (tid == 0) total[blockIdx.x] = energy + part[0] + part[1] + part[2] + part[3];
}
