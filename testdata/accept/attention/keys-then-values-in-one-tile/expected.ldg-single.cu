// One array holds the keys of a tile, and then its values; what comes of the keys is
// handed on through shared memory, and has a mask from global memory in it.
// pipelinify: launch attention<32, 4>
//   sizes nk=0,32,64,128
//   grid 2
//   block 32, 4
//   Q: in [8 * 32] random
//   K: in [nk * 32] random
//   V: in [nk * 32] random
//   mask: in [nk] random
//   O: out [8 * 32]
//   nk: nk
//   scale: 0.17
template <int W> static __device__ __forceinline__ float warp_sum(float x) {
#pragma unroll
    for (int o = W / 2; o > 0; o >>= 1) x += __shfl_xor_sync(0xffffffff, x, o, W);
    return x;
}
template <int W> static __device__ __forceinline__ float warp_max(float x) {
#pragma unroll
    for (int o = W / 2; o > 0; o >>= 1) x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, o, W));
    return x;
}
template <int D, int nwarps>
__launch_bounds__(32 * nwarps, 1) static __global__ void attention(const float *__restrict__ Q, const float *__restrict__ K, const float *__restrict__ V, const float *__restrict__ mask, float *__restrict__ O, const int nk, const float scale)
{
    __shared__ float KV[32 * (D + 1)];
    __shared__ float Qs[nwarps][D];
    __shared__ float weight[nwarps * 32];
    const int lane = threadIdx.x, w = threadIdx.y, q = blockIdx.x * nwarps + w;
    Qs[w][lane] = Q[q * D + lane] * scale;
    float most = -1e30f, total = 0, sum = 0;
    __syncthreads();
    // pipelinify: ldg-single, 1 stage, source a829ee7b
    int k0 = 0, k0_tile = k0;
    if (k0 < nk) {
        auto compute_tile = [&]() {
            float s = 0;
#pragma unroll
            for (int d = 0; d < D; ++d) s += KV[lane * (D + 1) + d] * Qs[w][d];
            s += mask[k0_tile + lane];
            const float m = warp_max<32>(fmaxf(most, s));
            const float c = expf(most - m), p = expf(s - m);
            most = m;
            total = total * c + p;
            sum *= c;
            weight[w * 32 + lane] = p;
            __syncthreads();
            for (int i = w; i < 32; i += nwarps)
                KV[i * (D + 1) + lane] = V[(k0_tile + i) * D + lane];
            __syncthreads();
            for (int i = 0; i < 32; ++i) sum += weight[w * 32 + i] * KV[i * (D + 1) + lane];
        };
        for (int i = w; i < 32; i += nwarps)
            KV[i * (D + 1) + lane] = K[(k0 + i) * D + lane];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 32; k0 < nk; k0 += 32) {
            float KV_next[(32 + nwarps - 1) / nwarps];
#pragma unroll
            for (int slot = 0; slot < (32 + nwarps - 1) / nwarps; ++slot) {
                int i = w + slot * nwarps;
                if (i < 32)
                    KV_next[slot] = K[(k0 + i) * D + lane];
            }
            compute_tile();
            k0_tile += 32;
            __syncthreads();
#pragma unroll
            for (int slot = 0; slot < (32 + nwarps - 1) / nwarps; ++slot) {
                int i = w + slot * nwarps;
                if (i < 32)
                    KV[i * (D + 1) + lane] = KV_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    O[q * D + lane] = sum / warp_sum<32>(total);
}
template __global__ void attention<32, 4>(const float *, const float *, const float *, const float *, float *, int, float);
