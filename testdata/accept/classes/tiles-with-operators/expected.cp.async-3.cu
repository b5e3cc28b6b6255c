#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define BLOCK_WAIT() do { __syncthreads(); } while (0)

// A panel of a matrix in shared memory, a column of padding behind each row.
template <typename T, int ROWS, int COLS>
struct Panel {
    T cell[ROWS * (COLS + 1)];

    __device__ T &operator()(int r, int c) { return cell[r * (COLS + 1) + c]; }
    __device__ const T &operator()(int r, int c) const { return cell[r * (COLS + 1) + c]; }
};

// The same without padding, addressed by rows.
template <typename T, int ROWS, int COLS>
struct Rows {
    T cell[ROWS][COLS];

    __device__ T *operator[](int r) { return cell[r]; }
};

// pipelinify: launch transposed_times<float, 16>
//   sizes    m=16 n=16,48 k=0,16,32,48,64,80,112
//   sizes    m=31 n=17,50 k=1,15,17,33,100
//   target   m=4096 n=4096 k=4096
//   let      S = 16
//   grid     (n + S - 1) / S, (m + S - 1) / S
//   block    S, S
//   at:      in  [k * m] range(-1, 1)
//   b:       in  [k * n] range(-1, 1)
//   c:       inout [m * n] range(-1, 1)
//   m:       m
//   n:       n
//   k:       k
// pipelinify: launch transposed_times<double, 16>
//   sizes    m=31 n=17 k=0,1,16,33,64,80
//   sizes    m=16 n=48 k=33,64
//   target   m=2048 n=2048 k=2048
//   let      S = 16
//   grid     (n + S - 1) / S, (m + S - 1) / S
//   block    S, S
//   at:      in  [k * m] range(-1, 1)
//   b:       in  [k * n] range(-1, 1)
//   c:       inout [m * n] range(-1, 1)
//   m:       m
//   n:       n
//   k:       k
template <typename T, int S>
__global__ void transposed_times(const T *__restrict__ at, const T *__restrict__ b,
                                 T *__restrict__ c, int m, int n, int k)
{
    constexpr int stages = 3;
    __shared__ Panel<T, S, S> pa_stage[stages];
    __shared__ Rows<T, S, S> pb_stage[stages];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * S + ty, col = blockIdx.x * S + tx;
    const int mine = blockIdx.y * S + tx;
    T sum = T(0);

    // pipelinify: cp.async, 3 stages, source 098124cf
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < k) {
            const int depth = k0_load + ty;

            if (mine < m && depth < k) {
                __pipeline_memcpy_async(&pa_stage[load_stage](tx, ty), &at[(size_t)depth * m + mine], sizeof(T));
            } else {
                pa_stage[load_stage](tx, ty) = T(0);
            }
            if (col < n && depth < k) {
                __pipeline_memcpy_async(&pb_stage[load_stage][ty][tx], &b[(size_t)depth * n + col], sizeof(T));
            } else {
                pb_stage[load_stage][ty][tx] = T(0);
            }
            k0_load += S;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < k; k0 += S) {
        __pipeline_wait_prior(stages - 2);
        BLOCK_WAIT();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

#pragma unroll
        for (int i = 0; i < S; ++i)
            sum += pa_stage[stage](ty, i) * pb_stage[stage][i][tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    if (row < m && col < n)
        c[(size_t)row * n + col] += sum;
}

template __global__ void transposed_times<float, 16>(const float *, const float *, float *, int, int, int);
template __global__ void transposed_times<double, 16>(const double *, const double *, double *, int, int, int);
