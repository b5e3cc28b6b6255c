// cp.async.wait_all, one tile ahead: the copy for the next is issued behind the barrier.
#define CP4(d, s) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(d), "l"(s))

__global__ void histo(const float *in, float *out, int tiles)
{
    __shared__ float a[2][128];
    unsigned base = __cvta_generic_to_shared(&a[0][threadIdx.x]);
    float s = 0;
    if (tiles > 0)
        CP4(base, in + threadIdx.x);
    for (int t = 0; t < tiles; ++t) {
        asm volatile("cp.async.wait_all;\n" ::: "memory");
        __syncthreads();
        if (t + 1 < tiles)
            CP4(base + ((t + 1) & 1) * 512, in + (t + 1) * 128 + threadIdx.x);
        s += a[t & 1][(threadIdx.x * 5) & 127];
    }
    out[threadIdx.x] = s;
}

void run(const float *i, float *o, int t) { histo<<<1, 128>>>(i, o, t); }
