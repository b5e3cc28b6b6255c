// Retries a load until the checksum bits agree: a label that goto returns to.
__global__ void ecc_sum(const unsigned *__restrict__ words, unsigned *__restrict__ out,
                        int tiles)
{
    __shared__ unsigned clean[128];
    unsigned total = 0;
    for (int t = 0; t < tiles; ++t) {
        unsigned w = words[t * 128 + threadIdx.x];
        int shift = 0;
again:
        if ((__popc(w) & 1) && shift < 4) {
            w ^= 1u << shift++;
            goto again;
        }
        clean[threadIdx.x] = w;
        __syncthreads();
        total += clean[(threadIdx.x + t) & 127];
        __syncthreads();
    }
    out[blockIdx.x * 128 + threadIdx.x] = total;
}
