// Functions of <cmath> that namespace std has by a `using` alone, called for a type that the
// template leaves open: in an arm that no instantiation takes, and in the loop itself.
#include <cmath>
#include <type_traits>
#include <cuda_pipeline.h>

template <typename Real> __device__ Real fused(Real a, Real b, Real c)
{
    if constexpr (std::is_same_v<Real, float>)
        return __fmaf_rn(a, b, c);
    else if constexpr (std::is_same_v<Real, double>)
        return __fma_rn(a, b, c);
    else
        return std::fma(a, b, c);
}

// pipelinify: launch series<float>
//   sizes    terms=0,1,2,5
//   target   terms=1024
//   grid     2
//   block    64
//   weights: in  [terms * 64 + 1]
//   points:  in  [128]
//   out:     out [128]
//   terms:   terms
// pipelinify: launch series<double>
//   sizes    terms=0,1,2,5
//   target   terms=1024
//   grid     2
//   block    64
//   weights: in  [terms * 64 + 1]
//   points:  in  [128]
//   out:     out [128]
//   terms:   terms
template <typename Real>
__global__ void series(const Real *__restrict__ weights, const Real *__restrict__ points, Real *__restrict__ out,
                       int terms)
{
    constexpr int stages = 8;
    __shared__ Real row_stage[stages][64];
    const Real x = points[blockIdx.x * 64 + threadIdx.x];
    Real sum = 0, most = 0;
    // pipelinify: cp.async, 8 stages, source 70bb5b59
    static_assert(__is_trivially_copyable(Real) && !__is_same(Real, volatile Real),
                  "Real must be plain data and not volatile");
    static_assert(__is_trivially_copyable(Real) && (sizeof(Real) == 4 || sizeof(Real) == 8 || sizeof(Real) == 16) &&
                  alignof(Real) == sizeof(Real),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < terms) {
            __pipeline_memcpy_async(&row_stage[load_stage][threadIdx.x], &weights[t_load * 64 + threadIdx.x],
                                    sizeof(Real));
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < terms; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 64; ++j) {
            sum = fused(sum, x, row_stage[stage][j]);
            most = std::fmax(most, row_stage[stage][j]);
        }
        sum = sum / (1 + most);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
