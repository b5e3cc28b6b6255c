// The stage is two bits of a running number; the loop counts down.
__global__ void bits(const unsigned *__restrict__ words, unsigned *__restrict__ out, unsigned left)
{
    __shared__ unsigned box[4 * 64];
    unsigned run = 0, mask = 0;
    const unsigned t = threadIdx.x;
    unsigned ahead[2] = {0, 0};
    if (left > 0)
        ahead[0] = words[t];
    while (left--) {
        unsigned *here = box + (run & 3u) * 64u;
        here[t] = ahead[run & 1u];
        if (left)
            ahead[(run + 1) & 1u] = words[(run + 1) * 64u + t];
        __syncthreads();
        mask ^= here[63u - t] << (run & 7u);
        ++run;
    }
    out[t] = mask;
}

void run(const unsigned *w, unsigned *o, unsigned left) { bits<<<2, 64>>>(w, o, left); }
