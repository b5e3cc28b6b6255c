// A macro's switch instantiates the kernel for three types, and accumulates in a type of its
// own.
#include <stdint.h>
#include <cuda_pipeline.h>

namespace op {
enum OpReqType { kNullOp, kWriteTo, kAddTo };

#define KERNEL_ASSIGN(out, req, val) \
    {                                \
        switch (req) {               \
        case kNullOp: break;         \
        case kWriteTo: (out) = (val); break; \
        case kAddTo: (out) += (val); break;  \
        }                            \
    }

#define REAL_TYPE_SWITCH(type, DType, ...) \
    switch (type) {                        \
    case 0: {                              \
        typedef float DType;               \
        { __VA_ARGS__ }                    \
    } break;                               \
    case 1: {                              \
        typedef double DType;              \
        { __VA_ARGS__ }                    \
    } break;                               \
    case 2: {                              \
        typedef int32_t DType;             \
        { __VA_ARGS__ }                    \
    } break;                               \
    }

template <typename DType> struct AccType { typedef DType type; };
template <> struct AccType<int32_t> { typedef int64_t type; };

namespace red {
struct sum {
    template <typename DType> static __device__ void Reduce(volatile DType &dst, volatile DType src) { dst += src; }
    template <typename DType> static __device__ void SetInit(DType &v) { v = 0; }
};
} // namespace red

// pipelinify: launch op::dot_forward<16, op::kWriteTo, float>
//   sizes    M=16,33 N=16,20 K=0,1,15,16,17,48
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   lhs:     in [M * K]
//   rhs:     in [K * N]
//   out:     inout [M * N]
//   M:       M
//   N:       N
//   K:       K
// pipelinify: launch op::dot_forward<16, op::kAddTo, int32_t>
//   sizes    M=33 N=20 K=0,1,17,48
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   lhs:     in [M * K]
//   rhs:     in [K * N]
//   out:     inout [M * N]
//   M:       M
//   N:       N
//   K:       K
template <int unit, int req, typename DType>
__global__ void dot_forward(const DType *__restrict__ lhs, const DType *__restrict__ rhs, DType *__restrict__ out,
                            int M, int N, int K)
{
    typedef typename AccType<DType>::type AType;
    constexpr int stages = 3;
    __shared__ DType a_stage[stages][unit][unit];
    __shared__ DType b_stage[stages][unit][unit];
    const int row = blockIdx.y * unit + threadIdx.y;
    const int col = blockIdx.x * unit + threadIdx.x;
    AType acc;
    red::sum::SetInit(acc);
    // pipelinify: cp.async, 3 stages, source 12ecf1da
    {
        static_assert(__is_trivially_copyable(DType) && !__is_same(DType, volatile DType),
                      "DType must be plain data and not volatile");
        static_assert(__is_trivially_copyable(DType) &&
                      (sizeof(DType) == 4 || sizeof(DType) == 8 || sizeof(DType) == 16) &&
                      alignof(DType) == sizeof(DType), "asynchronous copies move 4, 8 or 16 aligned bytes");
        int t_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (t_load < (K + unit - 1) / unit) {
                const int ka = t_load * unit + threadIdx.x, kb = t_load * unit + threadIdx.y;
                if (row < M && ka < K) {
                    __pipeline_memcpy_async(&a_stage[load_stage][threadIdx.y][threadIdx.x], &lhs[row * K + ka],
                                            sizeof(DType));
                } else {
                    a_stage[load_stage][threadIdx.y][threadIdx.x] = DType(0);
                }
                if (col < N && kb < K) {
                    __pipeline_memcpy_async(&b_stage[load_stage][threadIdx.y][threadIdx.x], &rhs[kb * N + col],
                                            sizeof(DType));
                } else {
                    b_stage[load_stage][threadIdx.y][threadIdx.x] = DType(0);
                }
                ++t_load;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
            copy_tile(load_stage);
        // Main loop: stages - 1 tiles are in flight while computing on one.
        for (int t = 0; t < (K + unit - 1) / unit; ++t) {
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            copy_tile(stage == 0 ? stages - 1 : stage - 1);
            for (int k = 0; k < unit; ++k)
                acc += static_cast<AType>(a_stage[stage][threadIdx.y][k]) *
                       static_cast<AType>(b_stage[stage][k][threadIdx.x]);
            stage = stage == stages - 1 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
    }
    if (row < M && col < N) {
        KERNEL_ASSIGN(out[row * N + col], req, static_cast<DType>(acc));
    }
}

void Forward(int type, int req, const void *l, const void *r, void *o, int M, int N, int K)
{
    dim3 grid((N + 15) / 16, (M + 15) / 16), block(16, 16);
    REAL_TYPE_SWITCH(type, DType, {
        if (req == kAddTo)
            dot_forward<16, kAddTo, DType><<<grid, block>>>((const DType *)l, (const DType *)r, (DType *)o, M, N, K);
        else
            dot_forward<16, kWriteTo, DType><<<grid, block>>>((const DType *)l, (const DType *)r, (DType *)o, M, N, K);
    });
}
} // namespace op
