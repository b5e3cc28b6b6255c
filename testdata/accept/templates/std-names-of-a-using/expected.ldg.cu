// Functions of <cmath> that namespace std has by a `using` alone, called for a type that the
// template leaves open: in an arm that no instantiation takes, and in the loop itself.
#include <cmath>
#include <type_traits>

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
    __shared__ Real row_stage[2][64];
    const Real x = points[blockIdx.x * 64 + threadIdx.x];
    Real sum = 0, most = 0;
    // pipelinify: ldg, 2 stages, source 70bb5b59
    static_assert(__is_trivially_copyable(Real) && !__is_same(Real, volatile Real),
                  "Real must be plain data and not volatile");
    int t = 0, stage = 0;
    if (t < terms) {
        auto compute_tile = [&]() {
            for (int j = 0; j < 64; ++j) {
                sum = fused(sum, x, row_stage[stage][j]);
                most = std::fmax(most, row_stage[stage][j]);
            }
            sum = sum / (1 + most);
        };
        row_stage[0][threadIdx.x] = weights[t * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < terms; ++t) {
            Real row_next = weights[t * 64 + threadIdx.x];
            compute_tile();
            stage ^= 1;
            row_stage[stage][threadIdx.x] = row_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
