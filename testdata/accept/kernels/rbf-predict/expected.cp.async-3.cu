// SVM prediction with an RBF kernel: tiles of support vectors and of their coefficients, two arrays of different shape.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    constexpr int stages = 3;
    __shared__ __align__(16) float svTile_stage[stages][32][NF];
    __shared__ float coefTile_stage[stages][32];

    int   i = blockIdx.x * blockDim.x + threadIdx.x;
    float x[NF];
    for (int f = 0; f < NF; ++f) x[f] = i < n ? samples[i * NF + f] : 0.f;

    const float* svEnd = sv + nsv * NF;
    float        sum   = 0.f;

    // nsv is padded to a multiple of 32 with zero coefficients
    // pipelinify: cp.async, 3 stages, source 0a06afec
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 64 && (32 * NF) % 4 == 0 && NF % 4 == 0 && (size_t)sv % 16 == 0;
    auto sv_load = sv;
    auto coef_load = coef;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (sv_load < svEnd)
        {
            if (joined)
            {
                for (int e = 4 * threadIdx.x; e < 32 * NF; e += 4 * 64)
                    __pipeline_memcpy_async(&svTile_stage[load_stage][e / NF][e % NF], &sv_load[e], 16);
            }
            else
            {
                for (int e = threadIdx.x; e < 32 * NF; e += 64)
                    __pipeline_memcpy_async(&svTile_stage[load_stage][e / NF][e % NF], &sv_load[e], sizeof(float));
            }
            if (threadIdx.x < 32)
                __pipeline_memcpy_async(&coefTile_stage[load_stage][threadIdx.x], &coef_load[threadIdx.x],
                                        sizeof(float));
            sv_load += 32 * NF, coef_load += 32;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (; sv < svEnd; sv += 32 * NF, coef += 32)
    {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        for (int s = 0; s < 32; ++s)
            sum += coefTile_stage[stage][s] * expf(-gamma * sq_dist<NF>(x, svTile_stage[stage][s]));
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    if (i < n) decision[i] = sum - rho;
}

void predict(const float* x, const float* sv, const float* coef, float* out, int n, int nsv, cudaStream_t st)
{
    rbf_predict<8><<<dim3((n + 63) / 64), dim3(64), 0, st>>>(x, sv, coef, out, 0.5f, 0.125f, n, nsv);
}
