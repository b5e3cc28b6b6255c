// Ragged last tiles without zeros: each sum stops where the tile's own guard did, said in other words.
#include <cuda_runtime.h>

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
    // pipelinify: ldg, 2 stages, source 851e4320
    int c0 = 0, c0_tile = c0, stage = 0;
    if (c0 < n) {
        auto compute_tile = [&]() {
            const int valid = min(CHUNK, n - c0_tile);
            for (int i = 0; i < valid; ++i)
                energy += s_stage[stage][i] * w[(i + threadIdx.x) & 255];
        };
        {
            const int valid = min(CHUNK, n - c0);
            for (int i = threadIdx.x; i < valid; i += 128)
                s_stage[0][i] = row[c0 + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (c0 += CHUNK; c0 < n; c0 += CHUNK) {
            float s_next[2];
            const int valid = min(CHUNK, n - c0);
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = threadIdx.x + slot * 128;
                if (i < valid)
                    s_next[slot] = row[c0 + i];
            }
            compute_tile();
            c0_tile += CHUNK;
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = threadIdx.x + slot * 128;
                if (i < valid)
                    s_stage[stage][i] = s_next[slot];
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + 2 * 128; i < valid; i += 128)
                s_stage[stage][i] = row[c0 + i];
            __syncthreads();
        }
        compute_tile();
    }
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
    // pipelinify: ldg, 2 stages, source f05a07d6
    int base = 0, base_tile = base, stage = 0;
    if (base < n) {
        auto compute_tile = [&]() {
            auto &base = base_tile;
            const int count = SMALLER(64, n - base);
            for (int k = 0; k < count; ++k) {
                const float4 other = tile_stage[stage][k];
                const float dx = other.x - me.x, dy = other.y - me.y;
                f += other.w * dx / (dx * dx + dy * dy + 0.5f);
            }
        };
        {
            const int j = base + threadIdx.x;
            if (j < n)
                tile_stage[0][threadIdx.x] = body[j];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 64; base < n; base += 64) {
            float4 tile_next;
            const int j = base + threadIdx.x;
            if (j < n)
                tile_next = body[j];
            compute_tile();
            base_tile += 64;
            stage ^= 1;
            if (j < n)
                tile_stage[stage][threadIdx.x] = tile_next;
            __syncthreads();
        }
        compute_tile();
    }
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
    // pipelinify: ldg, 2 stages, source 391e0c09
    int k0 = 0, k0_tile = k0, stage = 0;
    if (k0 < K) {
        auto compute_tile = [&]() {
            if (row < M && col < N) {
                for (int k = 0; k < 16; ++k) {
                    if (k0_tile + k >= K)
                        break;
                    acc += As_stage[stage][ty][k] * Bs_stage[stage][k][tx];
                }
            }
        };
        if (row < M && k0 + tx < K)
            As_stage[0][ty][tx] = A[row * K + k0 + tx];
        if (k0 + ty < K && col < N)
            Bs_stage[0][ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 16; k0 < K; k0 += 16) {
            float As_next;
            float Bs_next;
            if (row < M && k0 + tx < K)
                As_next = A[row * K + k0 + tx];
            if (k0 + ty < K && col < N)
                Bs_next = B[(k0 + ty) * N + col];
            compute_tile();
            k0_tile += 16;
            stage ^= 1;
            if (row < M && k0 + tx < K)
                As_stage[stage][ty][tx] = As_next;
            if (k0 + ty < K && col < N)
                Bs_stage[stage][ty][tx] = Bs_next;
            __syncthreads();
        }
        compute_tile();
    }
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
    // pipelinify: ldg, 2 stages, source fed2a19e
    unsigned at = 0;
    unsigned int at_tile = at;
    if (at < n) {
        int stage = 0;
        auto compute_tile = [&]() {
            const unsigned valid = n - at_tile < WIDE ? n - at_tile : WIDE;
            for (unsigned i = 0; i < valid; ++i)
                sum += part_stage[stage][i] * (float)(1 + (i ^ threadIdx.x));
        };
        {
            const unsigned valid = n - at < WIDE ? n - at : WIDE;
            for (unsigned i = threadIdx.x; i < valid; i += blockDim.x)
                part_stage[0][i] = x[at + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += WIDE; at < n; at += WIDE) {
            float part_next[3];
            const unsigned valid = n - at < WIDE ? n - at : WIDE;
            #pragma unroll
            for (int slot = 0; slot < 3; ++slot) {
                unsigned int i = threadIdx.x + slot * blockDim.x;
                if (i < valid)
                    part_next[slot] = x[at + i];
            }
            compute_tile();
            at_tile += WIDE;
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 3; ++slot) {
                unsigned int i = threadIdx.x + slot * blockDim.x;
                if (i < valid)
                    part_stage[stage][i] = part_next[slot];
            }
            // What has not been fetched ahead.
            for (unsigned int i = threadIdx.x + 3 * blockDim.x; i < valid; i += blockDim.x)
                part_stage[stage][i] = x[at + i];
            __syncthreads();
        }
        compute_tile();
    }
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
    // pipelinify: ldg, 2 stages, source 1e8a035b
    int base = 0, base_tile = base, stage = 0;
    if (base < n) {
        auto compute_tile = [&]() {
            const int left = n - base_tile;
            const int many = left < 64 ? left : 64;
            int i = 0;
            for (; i + 1 < many; i += 2)
                sum += value_stage[stage][i] * (place_stage[stage][i] - place_stage[stage][i + 1]) +
                       value_stage[stage][i + 1];
            for (; i < many; ++i)
                sum += value_stage[stage][i] * (place_stage[stage][i] ^ t);
        };
        {
            const int left = n - base;
            const int many = left < 64 ? left : 64;
            if (t < many) {
                value_stage[0][t] = x[base + t];
                place_stage[0][t] = at[base + t];
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 64; base < n; base += 64) {
            float value_next;
            int place_next;
            const int left = n - base;
            const int many = left < 64 ? left : 64;
            if (t < many) {
                value_next = x[base + t];
                place_next = at[base + t];
            }
            compute_tile();
            base_tile += 64;
            stage ^= 1;
            if (t < many) {
                value_stage[stage][t] = value_next;
                place_stage[stage][t] = place_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
    out[t] = sum;
}
