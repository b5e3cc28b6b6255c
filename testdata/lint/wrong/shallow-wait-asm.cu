// The wait leaves as many groups as there are stages ahead.
template <int N> __device__ __forceinline__ void cp_wait() { asm volatile("cp.async.wait_group %0;\n" ::"n"(N)); }
__device__ __forceinline__ void cp_commit() { asm volatile("cp.async.commit_group;\n" ::); }
__device__ __forceinline__ void cp16(void *dst, const void *src)
{
    unsigned d = static_cast<unsigned>(__cvta_generic_to_shared(dst));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(d), "l"(src));
}

template <int STAGES, int TILE>
__global__ void column_sums(const float4 *in, float4 *out, int tiles)
{
    extern __shared__ float4 ring[];
    const int lane = threadIdx.x;
    auto fetch = [&](int t) {
        if (t < tiles)
            cp16(&ring[(t % STAGES) * TILE + lane], in + (size_t)t * TILE + lane);
        cp_commit();
    };
#pragma unroll
    for (int s = 0; s < STAGES - 1; ++s)
        fetch(s);
    float4 acc = make_float4(0, 0, 0, 0);
    for (int t = 0; t < tiles; ++t) {
        cp_wait<STAGES - 1>();
        __syncthreads();
        float4 v = ring[(t % STAGES) * TILE + (lane + 1) % TILE];
        acc.x += v.x;
        acc.y += v.y;
        acc.z += v.z;
        acc.w += v.w;
        fetch(t + STAGES - 1);
    }
    out[blockIdx.x * TILE + lane] = acc;
}

void launch(const float4 *in, float4 *out, int tiles)
{
    column_sums<4, 128><<<1, 128, 4 * 128 * sizeof(float4)>>>(in, out, tiles);
}
