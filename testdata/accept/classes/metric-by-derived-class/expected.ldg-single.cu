// A metric keeps its bounds, which the loads ask, and its sum in one object, the derived class
// of its base.
namespace dist {
template <typename Derived, typename T, int BLK> struct TileBase {
    int rows, dim;
    T acc;
    __device__ TileBase(int r, int d) : rows(r), dim(d), acc(T(0)) {}
    __device__ Derived &self() { return static_cast<Derived &>(*this); }
    __device__ void step(const T (&a)[BLK][BLK + 1], const T (&b)[BLK][BLK + 1])
    {
#pragma unroll
        for (int i = 0; i < BLK; ++i)
            self().accumulate(a[threadIdx.y][i], b[threadIdx.x][i]);
    }
    __device__ T load(const T *p, int row, int col) const { return row < rows && col < dim ? p[row * dim + col] : T(0); }
};
template <typename T, int BLK> struct Canberra : TileBase<Canberra<T, BLK>, T, BLK> {
    using Base = TileBase<Canberra<T, BLK>, T, BLK>;
    __device__ Canberra(int r, int d) : Base(r, d) {}
    __device__ void accumulate(T x, T y)
    {
        const T num = x > y ? x - y : y - x;
        const T den = (x < 0 ? -x : x) + (y < 0 ? -y : y);
        this->acc += den != 0 ? num / den : T(0);
    }
    __device__ T finish() { return this->acc; }
};
template <typename T, int BLK> struct Hamming : TileBase<Hamming<T, BLK>, T, BLK> {
    using Base = TileBase<Hamming<T, BLK>, T, BLK>;
    __device__ Hamming(int r, int d) : Base(r, d) {}
    __device__ void accumulate(T x, T y) { this->acc += T(x != y); }
    __device__ T finish() { return this->acc / T(this->dim); }
};

// pipelinify: launch dist::matrix<dist::Canberra<float, 16>, float, 16>
//   sizes    R=16,21 K=0,1,15,16,17,40
//   grid     (R + 15) / 16, (R + 15) / 16
//   block    16, 16
//   x:       in [R * K]
//   out:     out [R * R]
//   rows:    R
//   dim:     K
// pipelinify: launch dist::matrix<dist::Hamming<double, 8>, double, 8>
//   sizes    R=21 K=1,8,17,40
//   grid     (R + 7) / 8, (R + 7) / 8
//   block    8, 8
//   x:       in [R * K]
//   out:     out [R * R]
//   rows:    R
//   dim:     K
template <typename Metric, typename T, int BLK>
__global__ void matrix(const T *__restrict__ x, T *__restrict__ out, int rows, int dim)
{
    __shared__ T a[BLK][BLK + 1];
    __shared__ T b[BLK][BLK + 1];
    Metric metric(rows, dim);
    const int r = blockIdx.y * BLK + threadIdx.y;
    // pipelinify: ldg-single, 1 stage, source dad3952d
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_same(Metric, dist::Canberra<float, 16>) ||
                  __is_same(Metric, dist::Hamming<double, 8>),
                  "pipelined for this Metric alone: run pipelinify again for another");
    int k = 0;
    if (k < dim) {
        a[threadIdx.y][threadIdx.x] = metric.load(x, r, k + threadIdx.x);
        b[threadIdx.y][threadIdx.x] = metric.load(x, blockIdx.x * BLK + threadIdx.y, k + threadIdx.x);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += BLK; k < dim; k += BLK) {
            T a_next = metric.load(x, r, k + threadIdx.x);
            T b_next = metric.load(x, blockIdx.x * BLK + threadIdx.y, k + threadIdx.x);
            metric.step(a, b);
            __syncthreads();
            a[threadIdx.y][threadIdx.x] = a_next;
            b[threadIdx.y][threadIdx.x] = b_next;
            __syncthreads();
        }
        metric.step(a, b);
    }
    const int c = blockIdx.x * BLK + threadIdx.x;
    if (r < rows && c < rows)
        out[r * rows + c] = metric.finish();
}
} // namespace dist
