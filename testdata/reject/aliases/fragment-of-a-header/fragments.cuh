#pragma once

// What a warp holds of a tile of ROWS x COLUMNS: of floats a row's every fourth
// element, of integers pairs of neighbours, where the
// caller says.
namespace fragments {

enum order { BY_ROWS, BY_PAIRS };

template <int ROWS, int COLUMNS, typename T, order ORDER = BY_ROWS> struct piece {};

template <int ROWS, int COLUMNS, typename T> struct piece<ROWS, COLUMNS, T, BY_ROWS>
{
    static constexpr int size = ROWS * COLUMNS / 32;
    T held[size] = {};

    static __device__ int row(int i) { return threadIdx.x % 32 / COLUMNS + i * (32 / COLUMNS); }
    static __device__ int column(int i) { return threadIdx.x % COLUMNS + 0 * i; }
};

template <int ROWS, int COLUMNS> struct piece<ROWS, COLUMNS, int, BY_PAIRS>
{
    static constexpr int size = ROWS * COLUMNS / 32;
    int *held;

    static __device__ int row(int i) { return threadIdx.x % 32 / (COLUMNS / 2) + i / 2 * (64 / COLUMNS); }
    static __device__ int column(int i) { return threadIdx.x % (COLUMNS / 2) * 2 + i % 2; }
};

template <int ROWS, int COLUMNS, typename T, order ORDER>
__device__ __forceinline__ void take(piece<ROWS, COLUMNS, T, ORDER> &to, const T *__restrict__ from, int pitch)
{
#pragma unroll
    for (int i = 0; i < to.size; ++i)
        to.held[i] = from[to.row(i) * pitch + to.column(i)];
}

} // namespace fragments
