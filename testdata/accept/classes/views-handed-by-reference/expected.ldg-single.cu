// A view is handed by reference to a border's method that only reads it: it leads where it led.
#include <stdint.h>
namespace img {
typedef unsigned char uchar;

template <typename T> struct PtrStep {
    const T *data;
    size_t step;
    __device__ __forceinline__ PtrStep(const T *d, size_t s) : data(d), step(s) {}
    __device__ __forceinline__ const T *ptr(int y = 0) const
    {
        return (const T *)((const char *)data + y * step);
    }
    __device__ __forceinline__ const T &operator()(int y, int x) const { return ptr(y)[x]; }
};
template <typename T> struct PtrStepSz : PtrStep<T> {
    int rows, cols;
    __device__ __forceinline__ PtrStepSz(int r, int c, const T *d, size_t s) : PtrStep<T>(d, s), rows(r), cols(c) {}
};

template <typename T> struct BrdReplicate {
    int last_row, last_col;
    __device__ BrdReplicate(int rows, int cols) : last_row(rows - 1), last_col(cols - 1) {}
    __device__ __forceinline__ int idx_row(int y) const { return max(0, min(y, last_row)); }
    __device__ __forceinline__ int idx_col(int x) const { return max(0, min(x, last_col)); }
    template <typename Src> __device__ __forceinline__ T at(int y, int x, const Src &src) const
    {
        return src(idx_row(y), idx_col(x));
    }
};

template <typename T> __device__ __forceinline__ T saturate_cast(float v);
template <> __device__ __forceinline__ uchar saturate_cast<uchar>(float v)
{
    return (uchar)min(255, max(0, __float2int_rn(v)));
}
template <> __device__ __forceinline__ float saturate_cast<float>(float v) { return v; }

// pipelinify: launch img::column_filter<8, 16, 5, img::uchar, img::uchar>
//   sizes    W=16,20 H=1,7,8,9,24,40
//   grid     (W + 15) / 16
//   block    16, 8
//   src:     in [W * H]
//   kernel:  in [5] range(0, 0.4)
//   dst:     out [W * H]
//   rows:    H
//   cols:    W
// pipelinify: launch img::column_filter<8, 16, 3, float, float>
//   sizes    W=20 H=1,8,9,24,40
//   grid     (W + 15) / 16
//   block    16, 8
//   src:     in [W * H]
//   kernel:  in [3] range(0, 0.4)
//   dst:     out [W * H]
//   rows:    H
//   cols:    W
template <int BH, int BW, int KSIZE, typename T, typename D>
__global__ void column_filter(const T *__restrict__ src, const float *__restrict__ kernel, D *__restrict__ dst, int rows,
                              int cols)
{
    __shared__ float smem[BH + KSIZE - 1][BW];
    const PtrStepSz<T> in(rows, cols, src, cols * sizeof(T));
    const BrdReplicate<T> brd(rows, cols);
    const int x = blockIdx.x * BW + threadIdx.x;

    // pipelinify: ldg-single, 1 stage, source 5906bae3
    static_assert(__is_trivially_copyable(D) && !__is_same(D, volatile D), "D must be plain data and not volatile");
    int y0 = 0, y0_tile = y0;
    if (y0 < rows) {
        auto compute_tile = [&]() {
            float sum = 0;
#pragma unroll
            for (int k = 0; k < KSIZE; ++k)
                sum += smem[threadIdx.y + k][threadIdx.x] * kernel[k];
            const int y = y0_tile + threadIdx.y;
            if (y < rows && x < cols)
                dst[y * cols + x] = saturate_cast<D>(sum);
        };
#pragma unroll
        for (int j = threadIdx.y; j < BH + KSIZE - 1; j += BH)
            smem[j][threadIdx.x] = static_cast<float>(brd.at(y0 + j - KSIZE / 2, x, in));
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (y0 += BH; y0 < rows; y0 += BH) {
            float smem_next[(BH + KSIZE - 1 + BH - 1) / BH];
#pragma unroll
            for (int slot = 0; slot < (BH + KSIZE - 1 + BH - 1) / BH; ++slot) {
                int j = threadIdx.y + slot * BH;
                if (j < BH + KSIZE - 1)
                    smem_next[slot] = static_cast<float>(brd.at(y0 + j - KSIZE / 2, x, in));
            }
            compute_tile();
            y0_tile += BH;
            __syncthreads();
#pragma unroll
            for (int slot = 0; slot < (BH + KSIZE - 1 + BH - 1) / BH; ++slot) {
                int j = threadIdx.y + slot * BH;
                if (j < BH + KSIZE - 1)
                    smem[j][threadIdx.x] = smem_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
    }
}
} // namespace img
