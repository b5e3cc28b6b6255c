__global__ void pair_sum(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float tile[64];
    const int t = threadIdx.x;
    unsigned own = (unsigned)__cvta_generic_to_shared(tile), peer;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(peer) : "r"(own), "r"(1));
    float acc = 0.f;

    for (int k = 0; k < tiles; ++k) {
        tile[t] = x[k * 64 + t];
        __syncthreads();
        float far;
        asm("ld.shared::cluster.f32 %0, [%1];" : "=f"(far) : "r"(peer + 4 * t));
        for (int j = 0; j < 64; ++j)
            acc += tile[j] * far;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = acc;
}
