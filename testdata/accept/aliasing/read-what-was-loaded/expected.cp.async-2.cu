// Ragged last tiles without zeros: each sum stops where the tile's own guard did, said in other words.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define CHUNK 256
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))

// pipelinify: launch row_energy
//   sizes    n=0,1,3,127,255,256,257,511,512,513,1000,1600
//   target   n=1048576
//   grid     2
//   block    128
//   x:       in  [2 * n]
//   w:       in  [256]
//   out:     out [256]
//   n:       n
__global__ void __launch_bounds__(128) row_energy(const float *__restrict__ x, const float *__restrict__ w,
                                                  float *__restrict__ out, int n)
{
    __shared__ float s_stage[2][CHUNK];
    const float *row = x + blockIdx.x * n;
    float energy = 0.f;
    // pipelinify: cp.async, 2 stages, source 851e4320
    int c0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (c0_load < n) {
            const int valid = min(CHUNK, n - c0_load);
            for (int i = threadIdx.x; i < valid; i += 128)
                __pipeline_memcpy_async(&s_stage[load_stage][i], &row[c0_load + i], sizeof(float));
            c0_load += CHUNK;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int c0 = 0; c0 < n; c0 += CHUNK) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        const int valid = min(CHUNK, n - c0);
        for (int i = 0; i < valid; ++i)
            energy += s_stage[stage][i] * w[(i + threadIdx.x) & 255];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 128 + threadIdx.x] = energy;
}

// pipelinify: launch attract
//   sizes    n=1,2,63,64,65,100,128,129,200,400
//   target   n=16384
//   grid     (n + 63) / 64
//   block    64
//   body:    in  [n]
//   force:   out [n]
//   n:       n
__global__ void attract(const float4 *__restrict__ body, float *__restrict__ force, int n)
{
    __shared__ float4 tile_stage[2][64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = body[i < n ? i : 0];
    float f = 0.f;
    // pipelinify: cp.async, 2 stages, source f05a07d6
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n) {
            const int j = base_load + threadIdx.x;
            if (j < n)
                __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &body[j], sizeof(float4));
            base_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int base = 0; base < n; base += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        const int count = SMALLER(64, n - base);
        for (int k = 0; k < count; ++k) {
            const float4 other = tile_stage[stage][k];
            const float dx = other.x - me.x, dy = other.y - me.y;
            f += other.w * dx / (dx * dx + dy * dy + 0.5f);
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (i < n)
        force[i] = f;
}

// pipelinify: launch mm_ragged
//   sizes    M=1,16,17 N=1,18 K=0,1,15,16,17,31,32,33,50,100
//   target   M=1024 N=1024 K=1024
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void mm_ragged(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N,
                          int K)
{
    __shared__ float As_stage[2][16][17], Bs_stage[2][16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float acc = 0.f;
    // pipelinify: cp.async, 2 stages, source 391e0c09
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            if (row < M && k0_load + tx < K)
                __pipeline_memcpy_async(&As_stage[load_stage][ty][tx], &A[row * K + k0_load + tx], sizeof(float));
            if (k0_load + ty < K && col < N)
                __pipeline_memcpy_async(&Bs_stage[load_stage][ty][tx], &B[(k0_load + ty) * N + col], sizeof(float));
            k0_load += 16;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += 16) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        if (row < M && col < N) {
            for (int k = 0; k < 16; ++k) {
                if (k0 + k >= K)
                    break;
                acc += As_stage[stage][ty][k] * Bs_stage[stage][k][tx];
            }
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (row < M && col < N)
        C[row * N + col] = acc;
}

// pipelinify: launch segment_sums<96>
//   sizes    n=0,1,95,96,97,192,193,300,600
//   target   n=1048576
//   grid     1
//   block    32
//   x:       in  [n]
//   out:     out [32]
//   n:       n
template <int WIDE>
__global__ void segment_sums(const float *__restrict__ x, float *__restrict__ out, unsigned n)
{
    __shared__ float part_stage[2][WIDE];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source fed2a19e
    unsigned at_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (at_load < n) {
            const unsigned valid = n - at_load < WIDE ? n - at_load : WIDE;
            for (unsigned i = threadIdx.x; i < valid; i += blockDim.x)
                __pipeline_memcpy_async(&part_stage[load_stage][i], &x[at_load + i], sizeof(float));
            at_load += WIDE;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    for (unsigned at = 0; at < n; at += WIDE) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        const unsigned valid = n - at < WIDE ? n - at : WIDE;
        for (unsigned i = 0; i < valid; ++i)
            sum += part_stage[stage][i] * (float)(1 + (i ^ threadIdx.x));
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
template __global__ void segment_sums<96>(const float *__restrict__, float *__restrict__, unsigned);

// pipelinify: launch gather_block
//   sizes    n=0,1,63,64,65,127,128,129,200,400
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n]
//   at:      in  [n] below(n)
//   out:     out [64]
//   n:       n
__global__ void gather_block(const float *__restrict__ x, const int *__restrict__ at, float *__restrict__ out, int n)
{
    __shared__ float value_stage[2][64];
    __shared__ int place_stage[2][64];
    const int t = threadIdx.x;
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 1e8a035b
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n) {
            const int left = n - base_load;
            const int many = left < 64 ? left : 64;
            if (t < many) {
                __pipeline_memcpy_async(&value_stage[load_stage][t], &x[base_load + t], sizeof(float));
                __pipeline_memcpy_async(&place_stage[load_stage][t], &at[base_load + t], sizeof(int));
            }
            base_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int base = 0; base < n; base += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        const int left = n - base;
        const int many = left < 64 ? left : 64;
        int i = 0;
        for (; i + 1 < many; i += 2)
            sum += value_stage[stage][i] * (place_stage[stage][i] - place_stage[stage][i + 1]) +
                   value_stage[stage][i + 1];
        for (; i < many; ++i)
            sum += value_stage[stage][i] * (place_stage[stage][i] ^ t);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[t] = sum;
}
