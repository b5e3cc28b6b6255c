// SVM prediction with an RBF kernel: tiles of support vectors and of their coefficients, two arrays of different shape.
#include <cuda_runtime.h>

template <int NF>
__device__ __forceinline__ float sq_dist(const float (&a)[NF], const float* b)
{
    float d = 0.f;
#pragma unroll
    for (int f = 0; f < NF; ++f)
    {
        float t = a[f] - b[f];
        d = fmaf(t, t, d);
    }
    return d;
}

// pipelinify: launch rbf_predict<8>
//   sizes    n=64 nsv=0,32,64,96,128,160,288
//   sizes    n=77 nsv=96
//   requires nsv % 32 == 0
//   target   n=262144 nsv=4096
//   grid     (n + 63) / 64
//   block    64
//   samples: in  [n * 8] random
//   sv:      in  [nsv * 8] random
//   coef:    in  [nsv] random
//   decision: out [n]
//   gamma:   0.5
//   rho:     0.125
//   n:       n
//   nsv:     nsv
template <int NF>
__global__ void rbf_predict(const float* samples, const float* sv, const float* coef, float* decision,
                            float gamma, float rho, int n, int nsv)
{
    __shared__ float svTile_stage[2][32][NF];
    __shared__ float coefTile_stage[2][32];

    int   i = blockIdx.x * blockDim.x + threadIdx.x;
    float x[NF];
    for (int f = 0; f < NF; ++f) x[f] = i < n ? samples[i * NF + f] : 0.f;

    const float* svEnd = sv + nsv * NF;
    float        sum   = 0.f;

    // nsv is padded to a multiple of 32 with zero coefficients
    // pipelinify: ldg, 2 stages, source 0a06afec
    if (sv < svEnd)
    {
        int stage = 0;
        for (int e = threadIdx.x; e < 32 * NF; e += 64) svTile_stage[0][e / NF][e % NF] = sv[e];
        if (threadIdx.x < 32) coefTile_stage[0][threadIdx.x] = coef[threadIdx.x];
        sv += 32 * NF, coef += 32;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; sv < svEnd; sv += 32 * NF, coef += 32)
        {
            float svTile_next[(32 * NF + 64 - 1) / 64];
            float coefTile_next;
            #pragma unroll
            for (int slot = 0; slot < (32 * NF + 64 - 1) / 64; ++slot)
            {
                int e = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < (32 * NF) / 64 || e < 32 * NF)
                    svTile_next[slot] = sv[e];
            }
            if (threadIdx.x < 32)
                coefTile_next = coef[threadIdx.x];

            for (int s = 0; s < 32; ++s)
                sum += coefTile_stage[stage][s] * expf(-gamma * sq_dist<NF>(x, svTile_stage[stage][s]));
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < (32 * NF + 64 - 1) / 64; ++slot)
            {
                int e = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < (32 * NF) / 64 || e < 32 * NF)
                    svTile_stage[stage][e / NF][e % NF] = svTile_next[slot];
            }
            if (threadIdx.x < 32)
                coefTile_stage[stage][threadIdx.x] = coefTile_next;
            __syncthreads();
        }
        for (int s = 0; s < 32; ++s)
            sum += coefTile_stage[stage][s] * expf(-gamma * sq_dist<NF>(x, svTile_stage[stage][s]));
    }

    if (i < n) decision[i] = sum - rho;
}

void predict(const float* x, const float* sv, const float* coef, float* out, int n, int nsv, cudaStream_t st)
{
    rbf_predict<8><<<dim3((n + 63) / 64), dim3(64), 0, st>>>(x, sv, coef, out, 0.5f, 0.125f, n, nsv);
}
