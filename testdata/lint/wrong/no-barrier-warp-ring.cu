// A warp's lanes read each other's copies without a barrier of the warp.
__device__ __forceinline__ void async4(float *to, const float *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
}

__global__ void warp_scan(const float *in, float *out, int steps)
{
    __shared__ float ring[8][3][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float *p = in + (blockIdx.x * 8 + warp) * steps * 32 + lane;
    for (int s = 0; s < 2; ++s) {
        if (s < steps)
            async4(&ring[warp][s][lane], p + s * 32);
        asm volatile("cp.async.commit_group;");
    }
    float acc = 0;
    int slot = 0, into = 2;
    for (int s = 0; s < steps; ++s) {
        asm volatile("cp.async.wait_group 1;");
        acc += ring[warp][slot][31 - lane];
        if (s + 2 < steps)
            async4(&ring[warp][into][lane], p + (s + 2) * 32);
        asm volatile("cp.async.commit_group;");
        slot = slot == 2 ? 0 : slot + 1;
        into = into == 2 ? 0 : into + 1;
    }
    out[blockIdx.x * 256 + threadIdx.x] = acc;
}

void start(const float *i, float *o, int steps) { warp_scan<<<4, 256>>>(i, o, steps); }
