// Attention scores summed over blocks of keys; everything that has a size comes
// from a traits class.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <typename Elem_, int Dim_, int Rows_, int Cols_>
struct ScoreTraits {
    using Elem = Elem_;
    static constexpr int kDim = Dim_;
    static constexpr int kBlockM = Rows_;
    static constexpr int kBlockN = Cols_;
    enum { kThreads = Rows_ };
    struct Load {
        static constexpr int kStep = Rows_;
    };
};

// pipelinify: launch scores<ScoreTraits<float, 16, 32, 16>>
//   sizes  n=0,16,32,48,160
//   target n=65536
//   grid   2
//   block  32
//   q: in  [2 * 32 * 16] range(-1, 1)
//   k: in  [n * 16] range(-1, 1)
//   w: in  [n * 16] range(-1, 1)
//   o: out [64]
//   n: n
//
// pipelinify: launch scores<ScoreTraits<double, 8, 64, 8>>
//   sizes  n=0,8,16,24
//   target n=16384
//   block  64
//   q: in  [64 * 8] range(-1, 1)
//   k: in  [n * 8] range(-1, 1)
//   w: in  [n * 8] range(-1, 1)
//   o: out [64]
//   n: n
template <typename Tr>
__global__ __launch_bounds__(Tr::kThreads) void scores(
    const typename Tr::Elem *__restrict__ q, const typename Tr::Elem *__restrict__ k,
    const typename Tr::Elem *__restrict__ w, typename Tr::Elem *__restrict__ o, int n)
{
    using Elem = typename Tr::Elem;
    constexpr int stages = 3;
    __shared__ Elem sk_stage[stages][Tr::kBlockN][Tr::kDim];
    __shared__ Elem sw_stage[stages][Tr::kBlockN * Tr::kDim];

    const int row = blockIdx.x * Tr::kBlockM + threadIdx.x;
    Elem qr[Tr::kDim];
    for (int d = 0; d < Tr::kDim; ++d)
        qr[d] = q[row * Tr::kDim + d];

    Elem sum = 0;
    // pipelinify: cp.async, 3 stages, source 925f3ae1
    static_assert(__is_trivially_copyable(typename Tr::Elem) &&
                  !__is_same(typename Tr::Elem, volatile typename Tr::Elem),
                  "typename Tr::Elem must be plain data and not volatile");
    static_assert(__is_trivially_copyable(Elem) && (sizeof(Elem) == 4 || sizeof(Elem) == 8 || sizeof(Elem) == 16) &&
                  alignof(Elem) == sizeof(Elem),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int j_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (j_load < n) {
            for (int i = threadIdx.x; i < Tr::kBlockN * Tr::kDim; i += Tr::Load::kStep) {
                __pipeline_memcpy_async(&sk_stage[load_stage][i / Tr::kDim][i % Tr::kDim], &k[j_load * Tr::kDim + i],
                                        sizeof(Elem));
                __pipeline_memcpy_async(&sw_stage[load_stage][i], (w + j_load * Tr::kDim + i), sizeof(Elem));
            }
            j_load += Tr::kBlockN;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int j = 0; j < n; j += Tr::kBlockN) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int c = 0; c < Tr::kBlockN; ++c) {
            Elem s = 0;
            for (int d = 0; d < Tr::kDim; ++d)
                s += qr[d] * sk_stage[stage][c][d];
            sum += s * sw_stage[stage][c * Tr::kDim + threadIdx.x % Tr::kDim];
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    o[row] = sum;
}

template __global__ void scores<ScoreTraits<float, 16, 32, 16>>(const float *, const float *, const float *, float *,
                                                                int);
template __global__ void scores<ScoreTraits<double, 8, 64, 8>>(const double *, const double *, const double *,
                                                               double *, int);
