// The copy is predicated in the assembly itself.
__device__ void cp_if(void *dst, const void *src, bool on)
{
    asm volatile("{\n"
                 "  .reg .pred p;\n"
                 "  setp.ne.b32 p, %0, 0;\n"
                 "  @p cp.async.cg.shared.global [%1], [%2], 16;\n"
                 "}\n" ::"r"((int)on), "r"((unsigned)__cvta_generic_to_shared(dst)), "l"(src));
}

__global__ void triad(const float *in, float *out, int n)
{
    __shared__ __align__(16) float t3[3][32 * 4];
    int lane = threadIdx.x;
    cp_if(&t3[0][lane * 4], in + lane * 4, n > 0);
    asm volatile("cp.async.commit_group;");
    cp_if(&t3[1][lane * 4], in + 128 + lane * 4, n > 1);
    asm volatile("cp.async.commit_group;");
    float s = 0;
    for (int i = 0; i < n; ++i) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        cp_if(&t3[(i + 2) % 3][lane * 4], in + (i + 2) * 128 + lane * 4, i + 2 < n);
        asm volatile("cp.async.commit_group;");
        s += t3[i % 3][127 - lane];
    }
    out[lane] = s;
}

void run(const float *i, float *o, int n) { triad<<<1, 32>>>(i, o, n); }
