// Accessors whose members are their base's, one for each dimension, the last a partial
// specialisation.
#include <cuda_fp16.h>
#include <stdint.h>
#include <cuda_pipeline.h>
namespace ten {
template <typename T> struct DefaultPtrTraits { typedef T *PtrType; };
template <typename T> struct RestrictPtrTraits { typedef T *__restrict__ PtrType; };

template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
class TensorAccessorBase {
  public:
    typedef typename PtrTraits<T>::PtrType PtrType;
    __host__ __device__ TensorAccessorBase(PtrType data, const index_t *sizes, const index_t *strides)
        : data_(data), sizes_(sizes), strides_(strides)
    {
    }
    __host__ __device__ index_t stride(index_t i) const { return strides_[i]; }
    __host__ __device__ index_t size(index_t i) const { return sizes_[i]; }

  protected:
    PtrType data_;
    const index_t *sizes_;
    const index_t *strides_;
};
template <typename T, size_t N, template <typename U> class PtrTraits = DefaultPtrTraits, typename index_t = int64_t>
class TensorAccessor : public TensorAccessorBase<T, N, PtrTraits, index_t> {
  public:
    typedef typename PtrTraits<T>::PtrType PtrType;
    __host__ __device__ TensorAccessor(PtrType data, const index_t *sizes, const index_t *strides)
        : TensorAccessorBase<T, N, PtrTraits, index_t>(data, sizes, strides)
    {
    }
    __host__ __device__ TensorAccessor<T, N - 1, PtrTraits, index_t> operator[](index_t i) const
    {
        return TensorAccessor<T, N - 1, PtrTraits, index_t>(this->data_ + this->strides_[0] * i, this->sizes_ + 1,
                                                           this->strides_ + 1);
    }
};
template <typename T, template <typename U> class PtrTraits, typename index_t>
class TensorAccessor<T, 1, PtrTraits, index_t> : public TensorAccessorBase<T, 1, PtrTraits, index_t> {
  public:
    typedef typename PtrTraits<T>::PtrType PtrType;
    __host__ __device__ TensorAccessor(PtrType data, const index_t *sizes, const index_t *strides)
        : TensorAccessorBase<T, 1, PtrTraits, index_t>(data, sizes, strides)
    {
    }
    __host__ __device__ T &operator[](index_t i) const { return this->data_[this->strides_[0] * i]; }
};

template <typename T> struct acc_type { typedef T type; };
template <> struct acc_type<__half> { typedef float type; };

// pipelinify: launch ten::weighted_rows<float, 32, int>
//   sizes    B=1,3 N=1,5 T=0,1,31,32,33,96
//   grid     N, B
//   block    32
//   input:   in [B * N * T]
//   sizes:   in [3] const(1)
//   strides: in [3] const(1)
//   w:       in [T]
//   out:     out [B * N * 32]
//   len:     T
//   rows:    N
template <typename scalar_t, int kTile, typename index_t>
__global__ void weighted_rows(const scalar_t *__restrict__ input, const index_t *__restrict__ sizes,
                              const index_t *__restrict__ strides, const scalar_t *__restrict__ w,
                              scalar_t *__restrict__ out, int len, int rows)
{
    typedef typename acc_type<scalar_t>::type accscalar_t;
    const TensorAccessor<const scalar_t, 3, RestrictPtrTraits, index_t> x(input, sizes, strides);
    __shared__ scalar_t xs_stage[2][kTile];
    __shared__ scalar_t ws_stage[2][kTile];
    const auto row = x[blockIdx.y][blockIdx.x];
    accscalar_t sum = 0;
    // pipelinify: cp.async, 2 stages, source 091ecd90
    static_assert(__is_trivially_copyable(scalar_t) && !__is_same(scalar_t, volatile scalar_t),
                  "scalar_t must be plain data and not volatile");
    static_assert(__is_trivially_copyable(scalar_t) &&
                  (sizeof(scalar_t) == 4 || sizeof(scalar_t) == 8 || sizeof(scalar_t) == 16) &&
                  alignof(scalar_t) == sizeof(scalar_t), "asynchronous copies move 4, 8 or 16 aligned bytes");
    int t0 = 0, stage = 0;
    if (t0 < len) {
        {
            const int t = t0 + threadIdx.x;
            xs_stage[0][threadIdx.x] = t < len ? row[t] : scalar_t(0);
            if (t < len) {
                __pipeline_memcpy_async(&ws_stage[0][threadIdx.x], &w[t], sizeof(scalar_t));
            } else {
                ws_stage[0][threadIdx.x] = scalar_t(0);
            }
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
        for (t0 += kTile; t0 < len; t0 += kTile) {
            const int t = t0 + threadIdx.x;
            scalar_t xs_next = t < len ? row[t] : scalar_t(0);
            if (t < len) {
                __pipeline_memcpy_async(&ws_stage[stage ^ 1][threadIdx.x], &w[t], sizeof(scalar_t));
            } else {
                ws_stage[stage ^ 1][threadIdx.x] = scalar_t(0);
            }
            __pipeline_commit();
            for (int j = 0; j < kTile; ++j)
                sum += static_cast<accscalar_t>(xs_stage[stage][(j + threadIdx.x) % kTile]) *
                       static_cast<accscalar_t>(ws_stage[stage][j]);
            stage ^= 1;
            xs_stage[stage][threadIdx.x] = xs_next;
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        for (int j = 0; j < kTile; ++j)
            sum += static_cast<accscalar_t>(xs_stage[stage][(j + threadIdx.x) % kTile]) *
                   static_cast<accscalar_t>(ws_stage[stage][j]);
    }
    out[(blockIdx.y * rows + blockIdx.x) * kTile + threadIdx.x] = static_cast<scalar_t>(sum);
}
} // namespace ten
