// What bounds a table is a member of what the kernel gets by value, of a template's type:
// it is no memory that a guard reads, whether the type is settled or not.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    for (int i = 0, end = (query.cols + SIDE - 1) / SIDE; i < end; ++i) {
        const int x = i * SIDE + threadIdx.x;
        q[threadIdx.y][threadIdx.x] = 0;
        t[threadIdx.y][threadIdx.x] = 0;
        if (x < query.cols) {
            q[threadIdx.y][threadIdx.x] = query.row(min(qi, query.rows - 1))[x];
        }
        if (train.holds(ti, x) && x < train.window[1])
            t[threadIdx.y][threadIdx.x] = train.row(ti)[x];
        __syncthreads();
        for (int j = 0; j < SIDE; ++j) {
            const float d = q[threadIdx.y][j] - t[threadIdx.x][j];
            sum += d * d;
        }
        __syncthreads();
    }
    best[qi * gridDim.x * SIDE + blockIdx.x * SIDE + threadIdx.x] = sum;
}

// One is.
template <typename T>
__device__ float rest(Table<T> query)
{
    constexpr int stages = 3;
    __shared__ T q_stage[stages][SIDE][SIDE];
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source c6be7e37
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) &&
                  (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int x0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (x0_load < query.cols) {
            const int x = x0_load + threadIdx.x;
            if (threadIdx.y < query.rows && x < query.window[1])
                __pipeline_memcpy_async(&q_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &query.row(threadIdx.y)[x], sizeof(T));
            else
                q_stage[load_stage][threadIdx.y][threadIdx.x] = 0;
            x0_load += SIDE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int x0 = 0; x0 < query.cols; x0 += SIDE) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < SIDE; ++j)
            sum = sum * 0.5f + q_stage[stage][threadIdx.y][j] * q_stage[stage][j][threadIdx.x];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
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
