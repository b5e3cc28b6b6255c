constexpr unsigned kTile = 64;

// Blocks pass a token from one to the next: tile t of this block may be read
// only after the left neighbour has finished its own tile t.
__global__ void wave_of_blocks(const float *__restrict__ in, float *__restrict__ halo,
                               unsigned *__restrict__ done, unsigned tiles)
{
    __shared__ float cells[kTile];
    const unsigned b = blockIdx.x, t = threadIdx.x;
    float carry = 0.f;

    for (unsigned i = 0; i < tiles; ++i) {
        if (b > 0 && t == 0)
            while (atomicAdd(&done[b - 1], 0u) <= i) { }
        cells[t] = in[(b * tiles + i) * kTile + t];
        __syncthreads();
        carry += cells[kTile - 1 - t] + (b > 0 ? halo[(b - 1) * tiles + i] : 0.f);
        if (t == 0) {
            halo[b * tiles + i] = carry;
            __threadfence();
            atomicAdd(&done[b], 1u);
        }
        __syncthreads();
    }
    halo[gridDim.x * tiles + b * kTile + t] = carry;
}
