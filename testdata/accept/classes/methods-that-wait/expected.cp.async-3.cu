// The methods of class templates that fill tiles wait at the barrier, too; the kernel is a template itself.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <typename T, int ROWS, int COLS> struct Staging {
    T (*tile)[COLS + 1];
    const T *__restrict__ src;
    int ld;

    __device__ void fetch(int row0, int col0)
    {
        const int c = threadIdx.x;
        for (int r = threadIdx.y; r < ROWS; r += blockDim.y)
            tile[r][c] = src[(row0 + r) * ld + col0 + c];
        __syncthreads();
    }
    __device__ T row_dot(int r, const T *v) const
    {
        T sum = 0;
        for (int i = 0; i < COLS; ++i)
            sum += tile[r][i] * v[i & 3];
        return sum;
    }
    __device__ void release() { __syncthreads(); }
};

// pipelinify: launch gemv_rows<16, 16>
//   sizes    cols=0,16,32,48,112 rows=16,32
//   target   cols=4096 rows=4096
//   grid     rows / 16
//   block    16, 8
//   a:       in  [rows * cols] random
//   out:     out [rows * 8]
//   cols:    cols
template <int ROWS, int COLS>
__global__ void __launch_bounds__(COLS * 8)
gemv_rows(const float *__restrict__ a, float *__restrict__ out, int cols)
{
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][ROWS][COLS + 1];
    float v[4] = {1.0f, 0.5f, threadIdx.y * 0.25f, 2.0f}, sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source b58af7ec
    int c0_load = 0, stage2 = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (c0_load < cols) {
            auto &tile = tile_stage[load_stage];
            Staging<float, ROWS, COLS> stage{tile, a, cols};
            const int c = threadIdx.x;
            for (int r = threadIdx.y; r < ROWS; r += blockDim.y)
                __pipeline_memcpy_async(&stage.tile[r][c],
                                        &stage.src[(((int)(blockIdx.x * ROWS)) + r) * stage.ld + c0_load + c],
                                        sizeof(float));
            c0_load += COLS;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int c0 = 0; c0 < cols; c0 += COLS) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage2 == 0 ? stages - 1 : stage2 - 1);
        auto &tile = tile_stage[stage2];
        Staging<float, ROWS, COLS> stage{tile, a, cols};
        sum += stage.row_dot(threadIdx.x, v);
        stage2 = stage2 == stages - 1 ? 0 : stage2 + 1;
    }
    __pipeline_wait_prior(0);
    out[(blockIdx.x * 16 + threadIdx.x) * 8 + threadIdx.y] = sum;
}

struct Window {
    float *ring;
    const float *signal;

    __device__ void next(int from) { int n = threadIdx.x; ring[n] = signal[from + n]; __syncthreads(); }
};

// pipelinify: launch energy
//   sizes    n=0,1,2,7
//   target   n=4096
//   grid     1
//   block    64
//   signal:  in  [n * 64] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64) energy(const float *__restrict__ signal, float *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ float ring_stage[stages][64];
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source bd796aa3
    int i_load = 0, stage2 = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            auto &ring = ring_stage[load_stage];
            Window w{ring, signal};
            int n_next = threadIdx.x;
            __pipeline_memcpy_async(&w.ring[n_next], &w.signal[(i_load * 64) + n_next], sizeof(float));
            ++i_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; ++i) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage2 == 0 ? stages - 1 : stage2 - 1);
        auto &ring = ring_stage[stage2];
        for (int k = 0; k < 64; ++k)
            sum += ring[k] * ring[k ^ threadIdx.x];
        stage2 = stage2 == stages - 1 ? 0 : stage2 + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
