// One half of the block fills tiles and adds up what it stored, the other half
// computes on them. Both wait at the same barriers, each in its own text.
__global__ void __launch_bounds__(256)
fill_and_scan(const float *__restrict__ x, float *__restrict__ peak, float *__restrict__ sum,
              int tiles)
{
    __shared__ float tile[128];
    const int t = threadIdx.x;
    float best = 0.f, own = 0.f;

    if (t < 128) {
        for (int k = 0; k < tiles; ++k) {
            tile[t] = x[(blockIdx.x * tiles + k) * 128 + t];
            __syncthreads();
            own += tile[t];
            __syncthreads();
        }
        sum[blockIdx.x * 128 + t] = own;
    } else {
        for (int k = 0; k < tiles; ++k) {
            __syncthreads();
            for (int j = t - 128; j < 128; j += 32)
                best = fmaxf(best, tile[j]);
            __syncthreads();
        }
        peak[blockIdx.x * 128 + t - 128] = best;
    }
}
