// One object loads to registers that are its members, stores from them and knows the thread's
// cells.
namespace linalg {

template <typename DataT, int _veclen, int _kblk, int _rpt, int _cpt, int _tr, int _tc> struct KernelPolicy {
    enum {
        Kblk = _kblk,
        Veclen = _veclen,
        AccRowsPerTh = _rpt,
        AccColsPerTh = _cpt,
        AccThRows = _tr,
        AccThCols = _tc,
        Nthreads = AccThRows * AccThCols,
        Mblk = AccRowsPerTh * AccThRows,
        Nblk = AccColsPerTh * AccThCols,
        LdgThRow = Kblk / Veclen,
        LdgRowsX = Nthreads / LdgThRow,
        LdgPerThX = Mblk / LdgRowsX,
        LdgPerThY = Nblk / LdgRowsX,
        SmemStride = Kblk + Veclen,
        SmemPageX = SmemStride * Mblk,
        SmemPageY = SmemStride * Nblk,
    };
};

template <typename DataT, typename IdxT, typename Policy> struct Contractions_NT {
    typedef Policy P;
    IdxT m, n, k;
    const DataT *x_base, *y_base;
    IdxT rowx, rowy;
    DataT *sx, *sy;
    int srowid, scolid, accrow, acccol;
    DataT ldgDataX[P::LdgPerThX][P::Veclen];
    DataT ldgDataY[P::LdgPerThY][P::Veclen];

    __device__ Contractions_NT(const DataT *x, const DataT *y, IdxT _m, IdxT _n, IdxT _k, DataT *smemX, DataT *smemY)
        : m(_m), n(_n), k(_k), x_base(x), y_base(y), rowx(blockIdx.y * P::Mblk + threadIdx.x / P::LdgThRow),
          rowy(blockIdx.x * P::Nblk + threadIdx.x / P::LdgThRow), sx(smemX), sy(smemY),
          srowid(threadIdx.x / P::LdgThRow), scolid((threadIdx.x % P::LdgThRow) * P::Veclen),
          accrow(threadIdx.x / P::AccThCols), acccol(threadIdx.x % P::AccThCols)
    {
    }

    __device__ __forceinline__ void ldgXY(IdxT kidx)
    {
        ldgX(kidx);
        ldgY(kidx);
    }
    __device__ __forceinline__ void stsXY()
    {
#pragma unroll
        for (int i = 0; i < P::LdgPerThX; ++i)
#pragma unroll
            for (int v = 0; v < P::Veclen; ++v)
                sx[(srowid + i * P::LdgRowsX) * P::SmemStride + scolid + v] = ldgDataX[i][v];
#pragma unroll
        for (int i = 0; i < P::LdgPerThY; ++i)
#pragma unroll
            for (int v = 0; v < P::Veclen; ++v)
                sy[(srowid + i * P::LdgRowsX) * P::SmemStride + scolid + v] = ldgDataY[i][v];
    }

  private:
    __device__ __forceinline__ void ldgX(IdxT kidx)
    {
        auto koff = kidx + scolid;
#pragma unroll
        for (int i = 0; i < P::LdgPerThX; ++i) {
            auto row = rowx + i * P::LdgRowsX;
#pragma unroll
            for (int v = 0; v < P::Veclen; ++v)
                ldgDataX[i][v] = row < m && koff + v < k ? x_base[row * k + koff + v] : DataT(0);
        }
    }
    __device__ __forceinline__ void ldgY(IdxT kidx)
    {
        auto koff = kidx + scolid;
#pragma unroll
        for (int i = 0; i < P::LdgPerThY; ++i) {
            auto row = rowy + i * P::LdgRowsX;
#pragma unroll
            for (int v = 0; v < P::Veclen; ++v)
                ldgDataY[i][v] = row < n && koff + v < k ? y_base[row * k + koff + v] : DataT(0);
        }
    }
};

struct LinfOp {
    template <typename A, typename D> __device__ void operator()(A &acc, D x, D y) const
    {
        auto diff = x > y ? x - y : y - x;
        acc = acc > diff ? acc : diff;
    }
};
struct SqOp {
    template <typename A, typename D> __device__ void operator()(A &acc, D x, D y) const
    {
        auto diff = x - y;
        acc += diff * diff;
    }
};

typedef KernelPolicy<float, 4, 16, 4, 2, 8, 16> PolicyF;
typedef KernelPolicy<double, 2, 8, 2, 2, 8, 8> PolicyD;

// pipelinify: launch linalg::pairwise<float, int, linalg::PolicyF, linalg::SqOp>
//   sizes    M=32,37 N=32,40 K=0,1,15,16,17,40
//   grid     (N + 31) / 32, (M + 31) / 32
//   block    128
//   x:       in [M * K]
//   y:       in [N * K]
//   dOut:    out [M * N]
//   m:       M
//   n:       N
//   k:       K
// pipelinify: launch linalg::pairwise<double, int, linalg::PolicyD, linalg::LinfOp>
//   sizes    M=16,21 N=16,40 K=0,1,8,17,40
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    64
//   x:       in [M * K]
//   y:       in [N * K]
//   dOut:    out [M * N]
//   m:       M
//   n:       N
//   k:       K
template <typename DataT, typename IdxT, typename P, typename CoreOp>
__global__ __launch_bounds__(P::Nthreads, 2) void pairwise(const DataT *x, const DataT *y, DataT *__restrict__ dOut,
                                                           IdxT m, IdxT n, IdxT k)
{
    __shared__ DataT smemX[P::SmemPageX];
    __shared__ DataT smemY[P::SmemPageY];
    Contractions_NT<DataT, IdxT, P> obj(x, y, m, n, k, smemX, smemY);
    DataT acc[P::AccRowsPerTh][P::AccColsPerTh];
    CoreOp core_op{};
#pragma unroll
    for (int i = 0; i < P::AccRowsPerTh; ++i)
#pragma unroll
        for (int j = 0; j < P::AccColsPerTh; ++j)
            acc[i][j] = DataT(0);

    // pipelinify: ldg-single, 1 stage, source 3a6958ba
    static_assert(__is_trivially_copyable(IdxT) && !__is_same(IdxT, volatile IdxT),
                  "IdxT must be plain data and not volatile");
    static_assert(__is_same(CoreOp, linalg::SqOp) ||
                  __is_same(CoreOp, linalg::LinfOp),
                  "pipelined for this CoreOp alone: run pipelinify again for another");
    static_assert(__is_trivially_copyable(DataT) && !__is_same(DataT, volatile DataT),
                  "DataT must be plain data and not volatile");
    static_assert(__is_same(P, linalg::KernelPolicy<float, 4, 16, 4, 2, 8, 16>) ||
                  __is_same(P, linalg::KernelPolicy<double, 2, 8, 2, 2, 8, 8>),
                  "pipelined for this P alone: run pipelinify again for another");
    IdxT kidx = 0;
    if (kidx < k) {
        auto compute_tile = [&]() {
#pragma unroll
            for (int ki = 0; ki < P::Kblk; ++ki)
#pragma unroll
                for (int i = 0; i < P::AccRowsPerTh; ++i)
#pragma unroll
                    for (int j = 0; j < P::AccColsPerTh; ++j)
                        core_op(acc[i][j], smemX[(obj.accrow + i * P::AccThRows) * P::SmemStride + ki],
                                smemY[(obj.acccol + j * P::AccThCols) * P::SmemStride + ki]);
        };
        obj.ldgXY(kidx);
        obj.stsXY();
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (kidx += P::Kblk; kidx < k; kidx += P::Kblk) {
            obj.ldgXY(kidx);
            compute_tile();
            __syncthreads();
            obj.stsXY();
            __syncthreads();
        }
        compute_tile();
    }
    for (int i = 0; i < P::AccRowsPerTh; ++i)
        for (int j = 0; j < P::AccColsPerTh; ++j) {
            IdxT r = blockIdx.y * P::Mblk + obj.accrow + i * P::AccThRows;
            IdxT c = blockIdx.x * P::Nblk + obj.acccol + j * P::AccThCols;
            if (r < m && c < n)
                dOut[r * n + c] = acc[i][j];
        }
}
} // namespace linalg
