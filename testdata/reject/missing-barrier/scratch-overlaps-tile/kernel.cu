extern __shared__ float smem[];

// To save memory the warps' partial sums are put where the tile lay, and no barrier stands between the last look at
// them and the next tile.
__global__ void __launch_bounds__(128)
row_peaks(const float *__restrict__ x, float *__restrict__ peak, int tiles)
{
    float *tile = smem, *part = smem;
    const int t = threadIdx.x;
    float best = 0.f;
    for (int k = 0; k < tiles; ++k) {
        tile[t] = x[(blockIdx.x * tiles + k) * 128 + t];
        __syncthreads();
        float e = fabsf(tile[t] - tile[127 - t]);
        for (int d = 16; d > 0; d /= 2)
            e = fmaxf(e, __shfl_xor_sync(0xffffffff, e, d));
        __syncthreads();
        if (t % 32 == 0) part[t / 32] = e;
        __syncthreads();
        best = fmaxf(best, fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3])));
    }
    if (t == 0) peak[blockIdx.x] = best;
}
