// Attention scores summed over blocks of keys; everything that has a size comes
// from a traits class.
#include <cuda_runtime.h>

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
    __shared__ Elem sk[Tr::kBlockN][Tr::kDim];
    __shared__ Elem sw[Tr::kBlockN * Tr::kDim];

    const int row = blockIdx.x * Tr::kBlockM + threadIdx.x;
    Elem qr[Tr::kDim];
    for (int d = 0; d < Tr::kDim; ++d)
        qr[d] = q[row * Tr::kDim + d];

    Elem sum = 0;
    // pipelinify: ldg-single, 1 stage, source 925f3ae1
    static_assert(__is_trivially_copyable(typename Tr::Elem) &&
                  !__is_same(typename Tr::Elem, volatile typename Tr::Elem),
                  "typename Tr::Elem must be plain data and not volatile");
    int j = 0;
    if (j < n) {
        auto compute_tile = [&]() {
            for (int c = 0; c < Tr::kBlockN; ++c) {
                Elem s = 0;
                for (int d = 0; d < Tr::kDim; ++d)
                    s += qr[d] * sk[c][d];
                sum += s * sw[c * Tr::kDim + threadIdx.x % Tr::kDim];
            }
        };
        for (int i = threadIdx.x; i < Tr::kBlockN * Tr::kDim; i += Tr::Load::kStep) {
            sk[i / Tr::kDim][i % Tr::kDim] = k[j * Tr::kDim + i];
            sw[i] = *(w + j * Tr::kDim + i);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (j += Tr::kBlockN; j < n; j += Tr::kBlockN) {
            Elem sk_next[(Tr::kBlockN * Tr::kDim + Tr::Load::kStep - 1) / Tr::Load::kStep];
            Elem sw_next[(Tr::kBlockN * Tr::kDim + Tr::Load::kStep - 1) / Tr::Load::kStep];
            #pragma unroll
            for (int slot = 0; slot < (Tr::kBlockN * Tr::kDim + Tr::Load::kStep - 1) / Tr::Load::kStep; ++slot) {
                int i = threadIdx.x + slot * Tr::Load::kStep;
                if (i < Tr::kBlockN * Tr::kDim) {
                    sk_next[slot] = k[j * Tr::kDim + i];
                    sw_next[slot] = *(w + j * Tr::kDim + i);
                }
            }
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < (Tr::kBlockN * Tr::kDim + Tr::Load::kStep - 1) / Tr::Load::kStep; ++slot) {
                int i = threadIdx.x + slot * Tr::Load::kStep;
                if (i < Tr::kBlockN * Tr::kDim) {
                    sk[i / Tr::kDim][i % Tr::kDim] = sk_next[slot];
                    sw[i] = sw_next[slot];
                }
            }
            __syncthreads();
        }
        compute_tile();
    }
    o[row] = sum;
}

template __global__ void scores<ScoreTraits<float, 16, 32, 16>>(const float *, const float *, const float *, float *,
                                                                int);
template __global__ void scores<ScoreTraits<double, 8, 64, 8>>(const double *, const double *, const double *,
                                                               double *, int);
