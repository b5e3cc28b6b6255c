// What bounds a table is a member of what the kernel gets by value, of a template's type:
// it is no memory that a guard reads, whether the type is settled or not.
#include <cuda_runtime.h>

#define SIDE 16

template <typename T> struct Table {
    const T *cells;
    int pitch, rows, cols;
    int window[2];
    __host__ __device__ const T *row(int y) const { return cells + (size_t)y * pitch; }
    __host__ __device__ bool holds(int y, int x) const { return y < rows && x < cols; }
};

// No use of it is in sight.
template <typename T>
__global__ void distances(const Table<T> query, const Table<T> train, float *best)
{
    __shared__ T q[SIDE][SIDE], t[SIDE][SIDE + 1];
    const int qi = blockIdx.y * SIDE + threadIdx.y, ti = blockIdx.x * SIDE + threadIdx.y;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source a0c07b95
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    int i = 0, end = (query.cols + SIDE - 1) / SIDE;
    if (i < end) {
        {
            const int x = i * SIDE + threadIdx.x;
            q[threadIdx.y][threadIdx.x] = 0;
            t[threadIdx.y][threadIdx.x] = 0;
            if (x < query.cols) {
                q[threadIdx.y][threadIdx.x] = query.row(min(qi, query.rows - 1))[x];
            }
            if (train.holds(ti, x) && x < train.window[1])
                t[threadIdx.y][threadIdx.x] = train.row(ti)[x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < end; ++i) {
            T q_next;
            T t_next;
            const int x = i * SIDE + threadIdx.x;
            if (x < query.cols) {
                q_next = query.row(min(qi, query.rows - 1))[x];
            }
            if (train.holds(ti, x) && x < train.window[1])
                t_next = train.row(ti)[x];
            for (int j = 0; j < SIDE; ++j) {
                const float d = q[threadIdx.y][j] - t[threadIdx.x][j];
                sum += d * d;
            }
            __syncthreads();
            q[threadIdx.y][threadIdx.x] = 0;
            t[threadIdx.y][threadIdx.x] = 0;
            if (x < query.cols) {
                q[threadIdx.y][threadIdx.x] = q_next;
            }
            if (train.holds(ti, x) && x < train.window[1])
                t[threadIdx.y][threadIdx.x] = t_next;
            __syncthreads();
        }
        for (int j = 0; j < SIDE; ++j) {
            const float d = q[threadIdx.y][j] - t[threadIdx.x][j];
            sum += d * d;
        }
    }
    best[qi * gridDim.x * SIDE + blockIdx.x * SIDE + threadIdx.x] = sum;
}

// One is.
template <typename T>
__device__ float rest(Table<T> query)
{
    __shared__ T q[SIDE][SIDE];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 9fee3eac
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    int x0 = 0;
    if (x0 < query.cols) {
        {
            const int x = x0 + threadIdx.x;
            q[threadIdx.y][threadIdx.x] = 0;
            if (threadIdx.y < query.rows && x < query.window[1])
                q[threadIdx.y][threadIdx.x] = query.row(threadIdx.y)[x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (x0 += SIDE; x0 < query.cols; x0 += SIDE) {
            T q_next;
            const int x = x0 + threadIdx.x;
            if (threadIdx.y < query.rows && x < query.window[1])
                q_next = query.row(threadIdx.y)[x];
            for (int j = 0; j < SIDE; ++j)
                sum = sum * 0.5f + q[threadIdx.y][j] * q[j][threadIdx.x];
            __syncthreads();
            q[threadIdx.y][threadIdx.x] = 0;
            if (threadIdx.y < query.rows && x < query.window[1])
                q[threadIdx.y][threadIdx.x] = q_next;
            __syncthreads();
        }
        for (int j = 0; j < SIDE; ++j)
            sum = sum * 0.5f + q[threadIdx.y][j] * q[j][threadIdx.x];
        __syncthreads();
    }
    return sum;
}

// pipelinify: launch rests
//   sizes    rows=1,5,16 cols=0,1,15,16,17,40
//   target   rows=16 cols=4096
//   block    16, 16
//   cells:   in  [rows * cols + 1] random
//   out:     out [256]
//   rows:    rows
//   cols:    cols
__global__ void rests(const float *cells, float *__restrict__ out, int rows, int cols)
{
    const Table<float> table = {cells, cols, rows, cols, {0, cols}};
    out[threadIdx.y * SIDE + threadIdx.x] = rest(table);
}
