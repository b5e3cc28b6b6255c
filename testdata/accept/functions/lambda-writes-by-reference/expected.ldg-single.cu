// A lambda gives back what it unpacks by references, to halves and to a record.
#include <cuda_fp16.h>

// pipelinify: launch weights_by_halves
//   sizes    k=0,32,64,160
//   target   k=4096
//   grid     2
//   block    64
//   w:       in  [2 * 64 * k / 2 + 1] random
//   scales:  in  [128]
//   x:       in  [k + 1]
//   y:       out [128]
//   k:       k
__global__ void __launch_bounds__(64) weights_by_halves(const unsigned char *__restrict__ w,
                                                        const half *__restrict__ scales,
                                                        const half *__restrict__ x, float *__restrict__ y, int k)
{
    __shared__ half ws[64][34];
    __shared__ half xs[32];
    const int t = threadIdx.x;
    auto unpack = [](unsigned char packed, half scale, half &low, half &high) {
        low = __hmul(__int2half_rn((packed & 15) - 8), scale);
        high = __hmul(__int2half_rn((packed >> 4) - 8), scale);
    };
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 5ce97282
    int k0 = 0;
    if (k0 < k) {
        for (int i = t; i < 64 * 16; i += 64) {
            const int r = i / 16, c = i % 16;
            half low, high;
            unpack(w[(blockIdx.x * 64 + r) * (k / 2) + k0 / 2 + c], scales[blockIdx.x * 64 + r], low, high);
            ws[r][2 * c] = low;
            ws[r][2 * c + 1] = high;
        }
        if (t < 32)
            xs[t] = x[k0 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 32; k0 < k; k0 += 32) {
            half xs_next;
            if (t < 32)
                xs_next = x[k0 + t];
            for (int i = 0; i < 32; ++i)
                sum += __half2float(ws[t][i]) * __half2float(xs[i]);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int i = t + slot * 64;
                const int r = i / 16, c = i % 16;
                half low, high;
                unpack(w[(blockIdx.x * 64 + r) * (k / 2) + k0 / 2 + c], scales[blockIdx.x * 64 + r], low, high);
                ws[r][2 * c] = low;
                ws[r][2 * c + 1] = high;
            }
            if (t < 32)
                xs[t] = xs_next;
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            sum += __half2float(ws[t][i]) * __half2float(xs[i]);
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = sum;
}
