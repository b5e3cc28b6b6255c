// Tiles whose rows stay where they are although longer ones are asked for: something else
// than their indices, each within its row, says where a cell lies.
#include <cuda_fp16.h>
#include <mma.h>
#include <cuda_pipeline.h>

// pipelinify: launch flat_cells
//   sizes    B=1 T=0,1,2,3
//   grid     B
//   block    64
//   x: in  [B * T * 64]
//   y: out [B * 64]
//   n: T
__global__ void __launch_bounds__(64) flat_cells(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][4][16];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source e5581137
    int t = 0, stage = 0;
    if (t < n) {
        s_stage[0][0][threadIdx.x] = x[(blockIdx.x * n + t) * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next = x[(blockIdx.x * n + t) * 64 + threadIdx.x];
            for (int i = 0; i < 16; ++i)
                sum += s_stage[stage][threadIdx.x % 4][i];
            stage ^= 1;
            s_stage[stage][0][threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int i = 0; i < 16; ++i)
            sum += s_stage[stage][threadIdx.x % 4][i];
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Only the caller knows how wide its blocks are.
// pipelinify: launch of_any_block
//   sizes    N=16 T=0,1,2,3
//   grid     1
//   block    N, N
//   x: in  [T * 256]
//   y: out [256]
//   n: T
__global__ void of_any_block(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][16][16];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 27dbc78c
    int t = 0, stage = 0;
    if (t < n) {
        s_stage[0][threadIdx.x][threadIdx.y] = x[t * 256 + threadIdx.y * 16 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next = x[t * 256 + threadIdx.y * 16 + threadIdx.x];
            for (int i = 0; i < 16; ++i)
                sum += s_stage[stage][threadIdx.y][i] * (i + 1);
            stage ^= 1;
            s_stage[stage][threadIdx.x][threadIdx.y] = s_next;
            __syncthreads();
        }
        for (int i = 0; i < 16; ++i)
            sum += s_stage[stage][threadIdx.y][i] * (i + 1);
    }
    y[threadIdx.y * 16 + threadIdx.x] = sum;
}

__device__ float sum_of(const float *row, int n)
{
    float sum = 0.f;
    for (int i = 0; i < n; ++i)
        sum += row[i];
    return sum;
}

// pipelinify: launch row_pointers
//   sizes    B=1 T=0,1,2,3
//   grid     B
//   block    32
//   x: in  [B * T * 1024]
//   y: out [B * 32]
//   n: T
__global__ void __launch_bounds__(32) row_pointers(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][32][32];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 92a405da
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            for (int r = 0; r < 32; ++r)
                __pipeline_memcpy_async(&s_stage[load_stage][r][threadIdx.x], &x[(blockIdx.x * n + t_load) * 1024 + r * 32 + threadIdx.x],
                                        sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        sum += sum_of(s_stage[stage][threadIdx.x], 32);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * 32 + threadIdx.x] = sum;
}

// pipelinify: launch places_and_sizes
//   sizes    B=1 T=0,1,2,3
//   grid     B
//   block    32
//   x: in  [B * T * 256]
//   y: out [B * 32]
//   n: T
__global__ void __launch_bounds__(32) places_and_sizes(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][8][32], t_stage[2][8][32];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 55e6e358
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &t = t_stage[stage];
            for (int i = 0; i < 8; ++i)
                sum += *(&s_stage[stage][i][0] + threadIdx.x) * t[i][(threadIdx.x + i) % (sizeof(t[0]) / sizeof(float))];
        };
        for (int r = 0; r < 8; ++r) {
            s_stage[0][r][threadIdx.x] = x[(blockIdx.x * n + k) * 256 + r * 32 + threadIdx.x];
            t_stage[0][r][threadIdx.x] = -x[(blockIdx.x * n + k) * 256 + r * 32 + threadIdx.x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next[8];
            float t_next[8];
            #pragma unroll
            for (int r = 0; r < 8; ++r) {
                s_next[r] = x[(blockIdx.x * n + k) * 256 + r * 32 + threadIdx.x];
                t_next[r] = x[(blockIdx.x * n + k) * 256 + r * 32 + threadIdx.x];
            }
            compute_tile();
            stage ^= 1;
            #pragma unroll
            for (int r = 0; r < 8; ++r) {
                s_stage[stage][r][threadIdx.x] = s_next[r];
                t_stage[stage][r][threadIdx.x] = -t_next[r];
            }
            __syncthreads();
        }
        compute_tile();
    }
    y[blockIdx.x * 32 + threadIdx.x] = sum;
}

__device__ void add_to(float &sum, const float &x) { sum += x; }

// pipelinify: launch handed_cells
//   sizes    B=1 T=0,1,2,3
//   grid     B
//   block    32
//   x: in  [B * T * 256]
//   y: out [B * 32]
//   n: T
__global__ void __launch_bounds__(32) handed_cells(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 8;
    __shared__ float s_stage[stages][8][32];
    float sum = 0.f;
    // pipelinify: cp.async, 8 stages, source 5d0d2b19
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            for (int r = 0; r < 8; ++r)
                __pipeline_memcpy_async(&s_stage[load_stage][r][threadIdx.x], &x[(blockIdx.x * n + k_load) * 256 + r * 32 + threadIdx.x],
                                        sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 8; ++i)
            add_to(sum, s_stage[stage][i][31 - threadIdx.x]);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * 32 + threadIdx.x] = sum;
}

// Fragments of eight rows of 32 halves, loaded as if they were 16 of 16.
// pipelinify: launch rows_of_fragments
//   sizes    B=1 T=0,1,2,3
//   grid     B
//   block    32
//   a: in  [B * T * 256]
//   b: in  [256]
//   y: out [B * 256]
//   n: T
__global__ void __launch_bounds__(32) rows_of_fragments(const half *__restrict__ a, const half *__restrict__ b, float *__restrict__ y, int n)
{
    using namespace nvcuda::wmma;
    constexpr int stages = 3;
    __shared__ __align__(32) half s_stage[stages][8][32];
    fragment<accumulator, 16, 16, 16, float> sum;
    fragment<matrix_b, 16, 16, 16, half, row_major> right;
    fill_fragment(sum, 0.f);
    load_matrix_sync(right, b, 16);
    // pipelinify: cp.async, 3 stages, source fe730509
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async((int4 *)&s_stage[load_stage][threadIdx.x / 4][threadIdx.x % 4 * 8],
                                    (const int4 *)&a[(blockIdx.x * n + k_load) * 256 + threadIdx.x * 8], sizeof(int4));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        fragment<matrix_a, 16, 16, 16, half, row_major> left;
        load_matrix_sync(left, &s_stage[stage][0][0], 16);
        mma_sync(sum, left, right, sum);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    store_matrix_sync(y + blockIdx.x * 256, sum, 16, mem_row_major);
}

// pipelinify: launch used_behind
//   sizes    B=1 T=0,1,2,3
//   grid     B
//   block    32
//   x: in  [B * T * 128]
//   y: out [B * 32]
//   n: T
__global__ void __launch_bounds__(32) used_behind(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 8;
    __shared__ float s_stage[stages][4][32];
    float sum = 0.f;
    int stage = 0;
    // pipelinify: cp.async, 8 stages, source 03de0ba1
    int k_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            for (int r = 0; r < 4; ++r)
                __pipeline_memcpy_async(&s_stage[load_stage][r][threadIdx.x], &x[(blockIdx.x * n + k_load) * 128 + r * 32 + threadIdx.x],
                                        sizeof(float));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 4; ++i)
            sum += s_stage[stage][i][threadIdx.x ^ 1];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    // Back to the stage of the last tile.
    stage = stage == 0 ? stages - 1 : stage - 1;
    __syncthreads();
    s_stage[stage][0][threadIdx.x] = sum;
    __syncthreads();
    y[blockIdx.x * 32 + threadIdx.x] = s_stage[stage][0][31 - threadIdx.x];
}

// Sixteen bytes are four cells of one instantiation, and two of the other.
template <typename T> __global__ void __launch_bounds__(32)
row_sums(const T *__restrict__ x, T *__restrict__ y, int n)
{
    constexpr int stages = 8;
    __shared__ T s_stage[stages][4][32];
    T sum = 0;
    // pipelinify: cp.async, 8 stages, source 51f30c8f
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            for (int r = 0; r < 4; ++r)
                __pipeline_memcpy_async(&s_stage[load_stage][r][threadIdx.x], &x[(blockIdx.x * n + k_load) * 128 + r * 32 + threadIdx.x],
                                        sizeof(T));
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 4; ++i)
            sum += s_stage[stage][i][31 - threadIdx.x];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * 32 + threadIdx.x] = sum;
}

// pipelinify: launch row_sums<float>
//   sizes    B=1 T=0,1,2,3
//   grid     B
//   block    32
//   x: in  [B * T * 128]
//   y: out [B * 32]
//   n: T
// pipelinify: launch row_sums<double>
//   sizes    B=1 T=0,1,2,3
//   grid     B
//   block    32
//   x: in  [B * T * 128]
//   y: out [B * 32]
//   n: T
template __global__ void row_sums<float>(const float *, float *, int);
template __global__ void row_sums<double>(const double *, double *, int);

// A launch says how many bytes there are, not the rows.
// pipelinify: launch dynamic_rows
//   sizes    B=1 T=0,1,2,3
//   grid     B
//   block    32
//   smem     32 * 16
//   x: in  [B * T * 128]
//   y: out [B * 32]
//   n: T
__global__ void __launch_bounds__(32) dynamic_rows(const float *__restrict__ x, float *__restrict__ y, int n)
{
    extern __shared__ float rows[][32];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 71de03f3
    int k = 0;
    if (k < n) {
        for (int r = 0; r < 4; ++r)
            rows[r][threadIdx.x] = x[(blockIdx.x * n + k) * 128 + r * 32 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float rows_next[4];
            #pragma unroll
            for (int r = 0; r < 4; ++r)
                rows_next[r] = x[(blockIdx.x * n + k) * 128 + r * 32 + threadIdx.x];
            for (int i = 0; i < 4; ++i)
                sum += rows[i][31 - threadIdx.x];
            __syncthreads();
            #pragma unroll
            for (int r = 0; r < 4; ++r)
                rows[r][threadIdx.x] = rows_next[r];
            __syncthreads();
        }
        for (int i = 0; i < 4; ++i)
            sum += rows[i][31 - threadIdx.x];
    }
    y[blockIdx.x * 32 + threadIdx.x] = sum;
}

// Two stages of these rows are all the memory that a block has.
// pipelinify: launch just_fits
//   sizes    B=1 T=0,1,2,3
//   grid     B
//   block    32
//   x: in  [B * T * 1536]
//   y: out [B * 32]
//   n: T
__global__ void __launch_bounds__(32) just_fits(const double2 *__restrict__ x, double *__restrict__ y, int n)
{
    __shared__ double2 s_stage[2][48][32];
    double sum = 0;
    // pipelinify: cp.async, 2 stages, source 755de582
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            for (int r = 0; r < 48; ++r)
                __pipeline_memcpy_async(&s_stage[load_stage][r][threadIdx.x], &x[(blockIdx.x * n + k_load) * 1536 + r * 32 + threadIdx.x],
                                        sizeof(double2));
            ++k_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 32; ++i)
            sum += s_stage[stage][threadIdx.x][i].x + s_stage[stage][47 - threadIdx.x][i].y;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * 32 + threadIdx.x] = sum;
}
