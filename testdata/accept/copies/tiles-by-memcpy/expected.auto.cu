// Tiles that memcpy fills: quantized blocks that begin at odd addresses, quads that
// are aligned, rows of which a part is missing, and a helper that leaves the width of
// its copies to a template.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cstdint>
#include <cstring>
#include <cuda_pipeline.h>

struct block_q8 {
    unsigned short scale; // half
    int8_t qs[32];
};
static_assert(sizeof(block_q8) == 34, "blocks lie without gaps");

// One row of the matrix per block of threads, 64 blocks of weights at a time; the
// words of a block lie at multiples of two only.
// pipelinify: launch q8_times_vector
//   sizes    blocks=0,64,128,192,320 rows=1,3
//   target   blocks=1024 rows=4096
//   grid     rows
//   block    64
//   w:       in  [rows * blocks * 17] below(15000)
//   x:       in  [blocks * 32] range(-1, 1)
//   y:       out [rows * 64]
//   blocks:  blocks
__global__ void __launch_bounds__(64)
q8_times_vector(const unsigned short *__restrict__ w, const float *__restrict__ x,
                float *__restrict__ y, int blocks)
{
    __shared__ int words[64][9];
    __shared__ float scales[64];
    const block_q8 *row = reinterpret_cast<const block_q8 *>(w) + (size_t)blockIdx.x * blocks;
    const int t = threadIdx.x;
    float sum = 0.0f;

    for (int b0 = 0; b0 < blocks; b0 += 64) {
        for (int i = t; i < 64 * 8; i += 64)
            memcpy(&words[i / 8][i % 8], row[b0 + i / 8].qs + i % 8 * 4, sizeof(int));
        scales[t] = __half2float(__ushort_as_half(row[b0 + t].scale));
        __syncthreads();

        for (int b = 0; b < 64; ++b) {
            const int word = words[b][t % 8];
            const float *at = x + (b0 + b) * 32 + t % 8 * 4;
            float part = (int8_t)(word & 255) * at[0] + (int8_t)(word >> 8 & 255) * at[1];
            part += (int8_t)(word >> 16 & 255) * at[2] + (int8_t)(word >> 24) * at[3];
            sum += part * scales[b];
        }
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = sum;
}

// pipelinify: launch quad_gemm
//   sizes    K=0,16,32,48,80 M=16 N=16,32
//   target   M=2048 N=2048 K=2048
//   grid     N / 16, M / 16
//   block    16, 4
//   A:       in  [M * K / 4]
//   B:       in  [K * N / 4]
//   C:       out [M * N]
//   N:       N
//   K:       K
__global__ void quad_gemm(const float4 *__restrict__ A, const float4 *__restrict__ B,
                          float *__restrict__ C, int N, int K)
{
    constexpr int stages = 3;
    __shared__ float4 a_stage[stages][16][4], b_stage[stages][16][4];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float sum[4] = {0.0f};
    const float4 *from = A + (blockIdx.y * 16 + tx) * (K / 4) + ty;
    // pipelinify: cp.async, 3 stages, source ada56e0e
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            auto &a = a_stage[load_stage];
            auto &b = b_stage[load_stage];
            __pipeline_memcpy_async(&a[tx][ty], from + k0_load / 4, sizeof(float4));
            __pipeline_memcpy_async(&b[tx][ty], &B[(k0_load + tx) * (N / 4) + blockIdx.x * 4 + ty], 16);
            k0_load += 16;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += 16) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        auto &a = a_stage[stage];
        auto &b = b_stage[stage];
        const float *as = &a[0][0].x, *bs = &b[0][0].x;
        for (int k = 0; k < 16; ++k)
            for (int r = 0; r < 4; ++r)
                sum[r] += as[(ty * 4 + r) * 16 + k] * bs[k * 16 + tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    for (int r = 0; r < 4; ++r)
        C[(blockIdx.y * 16 + ty * 4 + r) * N + blockIdx.x * 16 + tx] = sum[r];
}

// Quads at the end of a row are there as a whole or not at all.
// pipelinify: launch row_energy
//   sizes    n=0,4,60,64,100,192,260 rows=2
//   target   n=16384 rows=4096
//   grid     rows
//   block    64
//   a:       in  [rows * n] range(-1, 1)
//   y:       out [rows * 64]
//   n:       n
__global__ void row_energy(const float *a, float *__restrict__ y, int n)
{
    __shared__ float part_stage[2][256];
    const int t = threadIdx.x;
    float sum = 0.0f;
    a += (size_t)blockIdx.x * n;
    // pipelinify: ldg, 2 stages, source 2e3619b2
    int i = 0, stage = 0;
    if (i < n) {
        if (i + t * 4 < n)
            std::memcpy(&part_stage[0][t * 4], a + i + t * 4, 4 * sizeof(float));
        else
            std::memset(&part_stage[0][t * 4], 0, 4 * sizeof(float));
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 256; i < n; i += 256) {
            uint4 part_next;
            if (i + t * 4 < n)
                std::memcpy(&part_next, a + i + t * 4, 4 * sizeof(float));
            for (int k = 0; k < 256; ++k)
                sum += part_stage[stage][k] * part_stage[stage][k ^ t];
            stage ^= 1;
            if (i + t * 4 < n)
                std::memcpy(&part_stage[stage][t * 4], &part_next, 4 * sizeof(float));
            else
                std::memset(&part_stage[stage][t * 4], 0, 4 * sizeof(float));
            __syncthreads();
        }
        for (int k = 0; k < 256; ++k)
            sum += part_stage[stage][k] * part_stage[stage][k ^ t];
    }
    y[blockIdx.x * 64 + t] = sum;
}

template <typename T, int N>
struct pack {
    T v[N];
};

// Rows of a tile, N numbers a thread at a time.
template <typename T, int N>
__device__ __forceinline__ void copy_rows(T *tile, const T *from, int ld)
{
    for (int r = threadIdx.x / (32 / N); r < 32; r += 64 / (32 / N)) {
        const int c = threadIdx.x % (32 / N) * N;
        memcpy(tile + r * 32 + c, from + r * ld + c, sizeof(pack<T, N>));
    }
}

template <typename T, int N>
__device__ __forceinline__ auto copy_rows_fetch(const T *from, int ld)
{
    struct {
        alignas(16) unsigned char tile_next[(32 + 64 / (32 / N) - 1) / (64 / (32 / N))][sizeof(pack<T, N>)];
    } next;
    #pragma unroll
    for (int slot = 0; slot < (32 + 64 / (32 / N) - 1) / (64 / (32 / N)); ++slot) {
        int r = threadIdx.x / (32 / N) + slot * (64 / (32 / N));
        if (r < 32) {
            const int c = threadIdx.x % (32 / N) * N;
            memcpy(&next.tile_next[slot], from + r * ld + c, sizeof(pack<T, N>));
        }
    }
    return next;
}

template <typename T, int N, typename Registers>
__device__ __forceinline__ void copy_rows_store(T *tile, const Registers &next)
{
    #pragma unroll
    for (int slot = 0; slot < (32 + 64 / (32 / N) - 1) / (64 / (32 / N)); ++slot) {
        int r = threadIdx.x / (32 / N) + slot * (64 / (32 / N));
        if (r < 32) {
            const int c = threadIdx.x % (32 / N) * N;
            memcpy(tile + r * 32 + c, &next.tile_next[slot], sizeof(pack<T, N>));
        }
    }
}

// pipelinify: launch column_moments<float, 4>
//   sizes    rows=0,32,64,96,160 ld=32,40
//   target   rows=4096 ld=4096
//   grid     1
//   block    64
//   a:       in  [rows * ld] below(100)
//   y:       out [64]
//   rows:    rows
//   ld:      ld
// pipelinify: launch column_moments<uint8_t, 8>
//   sizes    rows=0,32,64,96,160 ld=32,40
//   target   rows=4096 ld=4096
//   grid     1
//   block    64
//   a:       in  [rows * ld] below(100)
//   y:       out [64]
//   rows:    rows
//   ld:      ld
template <typename T, int N>
__global__ void __launch_bounds__(64)
column_moments(const T *__restrict__ a, float *__restrict__ y, int rows, int ld)
{
    __shared__ T tile_stage[2][32 * 32];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 59f24a3f
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    int r0 = 0, r0_tile = r0, stage = 0;
    if (r0 < rows) {
        copy_rows<T, N>(tile_stage[0], a + (size_t)r0 * ld, ld);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (r0 += 32; r0 < rows; r0 += 32) {
            auto tile_next = copy_rows_fetch<T, N>(a + (size_t)r0 * ld, ld);
            for (int r = 0; r < 32; ++r)
                sum += (float)tile_stage[stage][r * 32 + t % 32] * (float)(r0_tile + r + t);
            r0_tile += 32;
            stage ^= 1;
            copy_rows_store<T, N>(tile_stage[stage], tile_next);
            __syncthreads();
        }
        for (int r = 0; r < 32; ++r)
            sum += (float)tile_stage[stage][r * 32 + t % 32] * (float)(r0_tile + r + t);
    }
    y[t] = sum;
}

// The ragged end of a record is zeros: set in the other branch, or ahead of all.
// pipelinify: launch ragged_records
//   sizes    records=0,1,2,3,4,7 size=130,256,300
//   target   records=4096 size=4096
//   grid     2
//   block    64
//   bytes:   in  [records * size + 256] below(200)
//   y:       out [128]
//   records: records
//   size:    size
__global__ void ragged_records(const uint8_t *__restrict__ bytes, float *__restrict__ y, int records, int size)
{
    __shared__ unsigned head_stage[2][64];
    __shared__ unsigned tail_stage[2][64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 09e6250d
    int r = 0, stage = 0;
    if (r < records) {
        {
            const uint8_t *from = bytes + (size_t)r * size;
            if (t * 4 + r < size)
                memcpy(&head_stage[0][t], from + t * 4, sizeof(unsigned));
            else
                memset(&head_stage[0][t], 0, sizeof(unsigned));
            memset(&tail_stage[0][t], 0, sizeof(unsigned));
            if (t * 4 + 128 + r < size)
                memcpy(&tail_stage[0][t], from + 128 + t * 4, sizeof(unsigned));
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++r; r < records; ++r) {
            unsigned int head_next;
            unsigned int tail_next;
            const uint8_t *from = bytes + (size_t)r * size;
            if (t * 4 + r < size)
                memcpy(&head_next, from + t * 4, sizeof(unsigned));
            if (t * 4 + 128 + r < size)
                memcpy(&tail_next, from + 128 + t * 4, sizeof(unsigned));
            for (int j = 0; j < 64; ++j)
                sum += (float)(head_stage[stage][j] >> (t % 24)) - (float)(tail_stage[stage][j ^ 1] & 255u);
            stage ^= 1;
            if (t * 4 + r < size)
                memcpy(&head_stage[stage][t], &head_next, sizeof(unsigned));
            else
                memset(&head_stage[stage][t], 0, sizeof(unsigned));
            memset(&tail_stage[stage][t], 0, sizeof(unsigned));
            if (t * 4 + 128 + r < size)
                memcpy(&tail_stage[stage][t], &tail_next, sizeof(unsigned));
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += (float)(head_stage[stage][j] >> (t % 24)) - (float)(tail_stage[stage][j ^ 1] & 255u);
    }
    y[blockIdx.x * 64 + t] = sum;
}
