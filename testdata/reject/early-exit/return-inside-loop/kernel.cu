constexpr int kTile = 64;

// Threads without a row leave from inside the loop, past two barriers.
__global__ void lookup_nearest(const float *__restrict__ codebook, int codes,
                               const float *__restrict__ x, int n,
                               int *__restrict__ winner)
{
    __shared__ float centroid[kTile];
    const int i = blockIdx.x * kTile + threadIdx.x;
    int best = -1;
    float bestDist = 3.4e38f;

    for (int c0 = 0; c0 < codes; c0 += kTile) {
        centroid[threadIdx.x] = codebook[c0 + threadIdx.x];
        __syncthreads();
        if (i >= n) return;
        for (int c = 0; c < kTile; ++c) {
            const float d = fabsf(x[i] - centroid[c]);
            if (d < bestDist) { bestDist = d; best = c0 + c; }
        }
        __syncthreads();
    }
    winner[i] = best;
}
