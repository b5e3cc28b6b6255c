// Generic lambdas accumulate and load; each means one instantiation, beside functors of as many
// operands.
namespace svm {
template <typename T> struct rbf_epilogue {
    T gamma;
    __device__ explicit rbf_epilogue(T g) : gamma(g) {}
    __device__ T operator()(T dot, T nx, T ny) const { return exp(-gamma * (nx + ny - T(2) * dot)); }
};
template <typename T> struct poly_epilogue {
    T gain, offset;
    int degree;
    __device__ explicit poly_epilogue(T g, T off = T(1), int d = 3) : gain(g), offset(off), degree(d) {}
    __device__ T operator()(T dot, T, T) const
    {
        T v = gain * dot + offset, r = T(1);
        for (int i = 0; i < degree; ++i)
            r *= v;
        return r;
    }
};

// pipelinify: launch svm::gram<float, svm::rbf_epilogue<float>>
//   sizes    M=16,33 N=16,20 K=0,1,15,16,17,48
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   x:       in [M * K]
//   y:       in [N * K]
//   k_out:   out [M * N]
//   nx:      in [M]
//   ny:      in [N]
//   m:       M
//   n:       N
//   dim:     K
//   gamma:   0.5
// pipelinify: launch svm::gram<double, svm::poly_epilogue<double>>
//   sizes    M=33 N=20 K=0,17,48
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   x:       in [M * K]
//   y:       in [N * K]
//   k_out:   out [M * N]
//   nx:      in [M]
//   ny:      in [N]
//   m:       M
//   n:       N
//   dim:     K
//   gamma:   0.5
template <typename math_t, typename EpiOp, int TILE = 16>
__global__ void gram(const math_t *__restrict__ x, const math_t *__restrict__ y, math_t *__restrict__ k_out,
                     const math_t *__restrict__ nx, const math_t *__restrict__ ny, size_t m, size_t n, size_t dim,
                     math_t gamma)
{
    __shared__ math_t xs_stage[2][TILE][TILE + 1], ys_stage[2][TILE][TILE + 1];
    const EpiOp epilog(gamma);
    const size_t row = size_t(blockIdx.y) * TILE + threadIdx.y;
    const size_t col = size_t(blockIdx.x) * TILE + threadIdx.x;
    const size_t yrow = size_t(blockIdx.x) * TILE + threadIdx.y;

    auto fma_step = [](auto &acc, const auto &a, const auto &b) { acc += a * b; };
    auto guarded = [dim](const math_t *base, size_t r, size_t rows, size_t c) {
        return r < rows && c < dim ? base[r * dim + c] : math_t(0);
    };
    math_t acc = 0;
    // pipelinify: ldg, 2 stages, source 427fc694
    static_assert(__is_same(math_t, float) ||
                  __is_same(math_t, double),
                  "pipelined for this math_t alone: run pipelinify again for another");
    static_assert(__is_same(EpiOp, svm::rbf_epilogue<float>) ||
                  __is_same(EpiOp, svm::poly_epilogue<double>),
                  "pipelined for this EpiOp alone: run pipelinify again for another");
    static_assert((long long)TILE == 16,
                  "pipelined for this TILE alone: run pipelinify again for another");
    size_t k0 = 0;
    if (k0 < dim) {
        int stage = 0;
        xs_stage[0][threadIdx.y][threadIdx.x] = guarded(x, row, m, k0 + threadIdx.x);
        ys_stage[0][threadIdx.y][threadIdx.x] = guarded(y, yrow, n, k0 + threadIdx.x);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += TILE; k0 < dim; k0 += TILE) {
            math_t xs_next = guarded(x, row, m, k0 + threadIdx.x);
            math_t ys_next = guarded(y, yrow, n, k0 + threadIdx.x);
#pragma unroll
            for (int kk = 0; kk < TILE; ++kk)
                fma_step(acc, xs_stage[stage][threadIdx.y][kk], ys_stage[stage][threadIdx.x][kk]);
            stage ^= 1;
            xs_stage[stage][threadIdx.y][threadIdx.x] = xs_next;
            ys_stage[stage][threadIdx.y][threadIdx.x] = ys_next;
            __syncthreads();
        }
#pragma unroll
        for (int kk = 0; kk < TILE; ++kk)
            fma_step(acc, xs_stage[stage][threadIdx.y][kk], ys_stage[stage][threadIdx.x][kk]);
        __syncthreads();
    }
    if (row < m && col < n)
        k_out[row * n + col] = epilog(acc, nx[row], ny[col]);
}
} // namespace svm
