// The main loop of a class that is handed its storage and its loader: what the loader
// does with the storage is not seen.
#include <cuda_runtime.h>
template <int M, int N, int K> struct Shape { enum { kM = M, kN = N, kK = K }; };
template <int STEP> struct RowLoader {
    template <typename Tile>
    __device__ static void load(Tile &dst, const float *src, int ld) {
        constexpr int rows = Tile::kRows, cols = Tile::kCols;
        for (int i = threadIdx.x; i < rows * cols; i += 64) dst.at(i / cols, i % cols) = src[(i / cols) * ld + i % cols];
    }
};
template <int R, int C> struct SmemTile {
    static constexpr int kRows = R, kCols = C;
    float data[R * C];
    __device__ float &at(int r, int c) { return data[r * C + c]; }
    __device__ float at(int r, int c) const { return data[r * C + c]; }
};
template <typename Shape_, typename Loader>
struct Mainloop {
    using Shape = Shape_;
    struct SharedStorage {
        SmemTile<Shape::kM, Shape::kK> A;
        SmemTile<Shape::kK, Shape::kN> B;
    };
    SharedStorage &s;
    __device__ Mainloop(SharedStorage &storage) : s(storage) {}
    __device__ void operator()(const float *A, const float *B, int lda, int ldb, int iters, float (&acc)[16]) {
        const int ty = threadIdx.x / 8, tx = threadIdx.x % 8;
        for (; iters > 0; --iters) {
            Loader::load(s.A, A, lda);
            Loader::load(s.B, B, ldb);
            __syncthreads();
            A += Shape::kK;
            B += Shape::kK * ldb;
#pragma unroll
            for (int k = 0; k < Shape::kK; ++k)
                for (int i = 0; i < 4; ++i)
                    for (int j = 0; j < 4; ++j) acc[i * 4 + j] += s.A.at(ty * 4 + i, k) * s.B.at(k, tx * 4 + j);
            __syncthreads();
        }
    }
};
template <typename ML>
__global__ void device_gemm(int K, int M, int N, const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C)
{
    __shared__ typename ML::SharedStorage storage;
    float acc[16] = {};
    ML loop(storage);
    loop(A + blockIdx.y * ML::Shape::kM * K, B + blockIdx.x * ML::Shape::kN, K, N, K / ML::Shape::kK, acc);
    const int ty = threadIdx.x / 8, tx = threadIdx.x % 8;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            C[(blockIdx.y * 32 + ty * 4 + i) * N + blockIdx.x * 32 + tx * 4 + j] = acc[i * 4 + j];
}
template __global__ void device_gemm<Mainloop<Shape<32, 32, 8>, RowLoader<8>>>(int, int, int, const float *, const float *, float *);
