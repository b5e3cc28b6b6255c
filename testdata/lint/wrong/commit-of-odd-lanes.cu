// Half of the lanes that copy leave the commit to the others.
__global__ void __launch_bounds__(128) divc(const char *in, int *out, int n)
{
    __shared__ __align__(16) int buf[2][256];
    const int t = threadIdx.x;
    auto copy = [&](int i) {
        if (t < 64) {
            unsigned d = (unsigned)__cvta_generic_to_shared(&buf[i & 1][t * 4]);
            asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n" :: "r"(d), "l"(in + (size_t)i * 1024 + t * 16));
        }
    };
    int s = 0;
    if (n > 0) copy(0);
    asm volatile("cp.async.commit_group;\n");
    for (int i = 0; i < n; ++i) {
        if (i + 1 < n) copy(i + 1);
        if (t >= 64 || (t & 1)) asm volatile("cp.async.commit_group;\n");
        asm volatile("cp.async.wait_group 1;\n" ::: "memory");
        __syncthreads();
        s += buf[i & 1][t] ^ buf[i & 1][255 - t];
        __syncthreads();
    }
    out[t] = s;
}
