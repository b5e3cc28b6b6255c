// A view with an operator() for objects that may change and one for those that may
// not, of the template's element type; the kernel reads by const views.

#include <cuda_pipeline.h>

template <typename T>
struct View {
    T *data;
    int rows, cols;
    __device__ T &operator()(int r, int c) { return data[r * cols + c]; }
    __device__ const T &operator()(int r, int c) const { return data[r * cols + c]; }
    __device__ bool holds(int r, int c) const { return r < rows && c < cols; }
};

constexpr int TILE = 16;

template <typename T>
__global__ void multiply(const T *__restrict__ a, const T *__restrict__ b,
                         T *__restrict__ c, int m, int n, int k)
{
    const View<const T> A{a, m, k};
    const View<const T> B{b, k, n};
    View<T> C{c, m, n};
    constexpr int stages = 3;
    __shared__ T as_stage[stages][TILE][TILE];
    __shared__ T bs_stage[stages][TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    T sum{};
    // pipelinify: cp.async, 3 stages, source 75930284
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) &&
                  (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int tile = 0, last = (k + TILE - 1) / TILE, tile_load = tile, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (tile_load < last) {
            const int ka = tile_load * TILE + threadIdx.x;
            const int kb = tile_load * TILE + threadIdx.y;
            if (A.holds(row, ka)) {
                __pipeline_memcpy_async(&as_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &A(row, ka), sizeof(T));
            } else {
                as_stage[load_stage][threadIdx.y][threadIdx.x] = T{};
            }
            if (B.holds(kb, col)) {
                __pipeline_memcpy_async(&bs_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &B(kb, col), sizeof(T));
            } else {
                bs_stage[load_stage][threadIdx.y][threadIdx.x] = T{};
            }
            ++tile_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (; tile < last; ++tile) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < TILE; ++i)
            sum += as_stage[stage][threadIdx.y][i] * bs_stage[stage][i][threadIdx.x];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    if (C.holds(row, col))
        C(row, col) = sum;
}

template __global__ void multiply<float>(const float *, const float *, float *, int, int, int);
template __global__ void multiply<int>(const int *, const int *, int *, int, int, int);

// pipelinify: launch multiply<float>
//   sizes    m=17 n=18 k=0,5,16,17,40,96,112
//   target   m=2048 n=2048 k=2048
//   grid     (n + 15) / 16, (m + 15) / 16
//   block    16, 16
//   a:       in  [m * k]
//   b:       in  [k * n]
//   c:       out [m * n]
//   m:       m
//   n:       n
//   k:       k
// pipelinify: launch multiply<int>
//   sizes    m=17 n=18 k=5,16,40,96
//   grid     (n + 15) / 16, (m + 15) / 16
//   block    16, 16
//   a:       in  [m * k]
//   b:       in  [k * n]
//   c:       out [m * n]
//   m:       m
//   n:       n
//   k:       k
