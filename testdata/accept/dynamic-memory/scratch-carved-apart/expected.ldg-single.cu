// Blocks of dynamic shared memory that are carved into tiles and scratch, tables or lists, no byte
// of which is one of a tile's: the tiles have stages, the rest stays where it is.
#include <cuda_runtime.h>

// Two tiles, and behind them what the block's threads keep from tile to tile.
//
// pipelinify: launch scaled_product
//   sizes  M=64 N=64 K=0,1,15,16,17,40
//   sizes  M=70 N=50 K=33
//   target M=2048 N=2048 K=2048
//   grid   (N + 63) / 64, (M + 63) / 64
//   block  256
//   smem   4 * (64 * 16 + 16 * 64 + 256)
//   A:     in  [M * K + 1]
//   B:     in  [K * N + 1]
//   C:     out [M * N]
//   M:     M
//   N:     N
//   K:     K
__global__ void __launch_bounds__(256) scaled_product(const float *__restrict__ A, const float *__restrict__ B,
                                                      float *__restrict__ C, int M, int N, int K)
{
    extern __shared__ __align__(16) char smem[];
    float *As = reinterpret_cast<float *>(smem);
    float *Bs = As + 64 * 16;
    float *most = (reinterpret_cast<float *>(smem) + 64 * 16) + 16 * 64;
    const int tid = threadIdx.x, ty = tid / 16, tx = tid % 16;
    const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    float acc[4][4] = {};
    most[tid] = 0.f;
    // pipelinify: ldg-single, 1 stage, source 0e0e7723
    int k0 = 0;
    if (k0 < K) {
        auto compute_tile = [&]() {
            float largest = most[tid];
            for (int k = 0; k < 16; ++k)
                for (int i = 0; i < 4; ++i)
                    for (int j = 0; j < 4; ++j) {
                        float p = As[(ty * 4 + i) * 16 + k] * Bs[k * 64 + tx * 4 + j];
                        acc[i][j] += p;
                        largest = fmaxf(largest, fabsf(p));
                    }
            most[tid] = largest;
        };
        for (int i = tid; i < 64 * 16; i += 256) {
            int r = i / 16, c = i % 16;
            As[i] = row0 + r < M && k0 + c < K ? A[(size_t)(row0 + r) * K + k0 + c] : 0.f;
        }
        for (int i = tid; i < 16 * 64; i += 256) {
            int r = i / 64, c = i % 64;
            Bs[i] = k0 + r < K && col0 + c < N ? B[(size_t)(k0 + r) * N + col0 + c] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 16; k0 < K; k0 += 16) {
            float As_next[4];
            float Bs_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = tid + slot * 256;
                int r = i / 16, c = i % 16;
                As_next[slot] = row0 + r < M && k0 + c < K ? A[(size_t)(row0 + r) * K + k0 + c] : 0.f;
            }
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = tid + slot * 256;
                int r = i / 64, c = i % 64;
                Bs_next[slot] = k0 + r < K && col0 + c < N ? B[(size_t)(k0 + r) * N + col0 + c] : 0.f;
            }
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = tid + slot * 256;
                As[i] = As_next[slot];
            }
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = tid + slot * 256;
                Bs[i] = Bs_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    float bound = 0.f;
    __syncthreads();
    for (int t = 0; t < 256; ++t)
        bound = fmaxf(bound, most[t]);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            int r = row0 + ty * 4 + i, c = col0 + tx * 4 + j;
            if (r < M && c < N)
                C[(size_t)r * N + c] = acc[i][j] / (1.f + bound);
        }
}

// A reduction by halves in scratch that is carved by a template's arguments.
//
// pipelinify: launch column_maxima<64, 32>
//   sizes  K=0,32,64,160 M=128
//   target K=4096 M=8192
//   grid   M / 64
//   block  128
//   smem   4 * (64 * 32 + 32 + 128)
//   A:     in  [M * K + 1]
//   w:     in  [K + 1]
//   out:   out [M / 64]
//   K:     K
template <int BM, int BK>
__global__ void column_maxima(const float *__restrict__ A, const float *__restrict__ w, float *__restrict__ out,
                              int K)
{
    extern __shared__ float pool[];
    float *tile = pool;
    float *weights = tile + BM * BK;
    float *part = weights + BK;
    const int tid = threadIdx.x;
    float top = -1e30f;
    // pipelinify: ldg-single, 1 stage, source 6c78810c
    int k0 = 0;
    if (k0 < K) {
        auto compute_tile = [&]() {
            float s = 0.f;
            for (int k = 0; k < BK; ++k)
                s += tile[(tid % BM) * BK + k] * weights[k];
            part[tid] = s;
            __syncthreads();
            for (int o = 64; o > 0; o >>= 1) {
                if (tid < o)
                    part[tid] = fmaxf(part[tid], part[tid + o]);
                __syncthreads();
            }
            top = fmaxf(top, part[0]);
        };
        for (int i = tid; i < BM * BK; i += 128)
            tile[i] = A[(size_t)(blockIdx.x * BM + i / BK) * K + k0 + i % BK];
        if (tid < BK)
            weights[tid] = w[k0 + tid];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += BK; k0 < K; k0 += BK) {
            float tile_next[(BM * BK + 128 - 1) / 128];
            float weights_next;
            #pragma unroll
            for (int slot = 0; slot < (BM * BK + 128 - 1) / 128; ++slot) {
                int i = (tid < 128 ? tid : 127) + slot * 128;
                if (slot < (BM * BK) / 128 || i < BM * BK)
                    tile_next[slot] = A[(size_t)(blockIdx.x * BM + i / BK) * K + k0 + i % BK];
            }
            if (tid < BK)
                weights_next = w[k0 + tid];
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < (BM * BK + 128 - 1) / 128; ++slot) {
                int i = (tid < 128 ? tid : 127) + slot * 128;
                if (slot < (BM * BK) / 128 || i < BM * BK)
                    tile[i] = tile_next[slot];
            }
            if (tid < BK)
                weights[tid] = weights_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = top;
}

// How large the tile is decides the run.
//
// pipelinify: launch rounds
//   sizes  n=0,1,2,3,5 w=32,64,100
//   block  64
//   smem   4 * (w + 64)
//   x:     in  [n * w + 1]
//   out:   out [64]
//   n:     n
//   w:     w
__global__ void rounds(const float *__restrict__ x, float *__restrict__ out, int n, int w)
{
    extern __shared__ float sm[];
    float *t = sm;
    float *sums = sm + w;
    float acc = 0;
    // pipelinify: ldg-single, 1 stage, source 6f7fe4e1
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            float d = 0;
            for (int i = 0; i < w; i++)
                d += t[i] * (i ^ threadIdx.x);
            sums[threadIdx.x] = d;
            __syncthreads();
            for (int i = 0; i < 64; i++)
                acc += sums[i];
        };
        for (int i = threadIdx.x; i < w; i += blockDim.x)
            t[i] = x[k * w + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float t_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < w)
                    t_next[slot] = x[k * w + i];
            }
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < w)
                    t[i] = t_next[slot];
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + 8 * blockDim.x; i < w; i += blockDim.x)
                t[i] = x[k * w + i];
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

// The rows that are gathered stand in a list of the same block.
//
// pipelinify: launch gathered
//   sizes  n=0,16,32,80
//   target n=4096
//   grid   2
//   block  128
//   smem   4 * (64 * 16 + 64)
//   x:     in  [100 * n + 1]
//   rows:  in  [128] below(100)
//   out:   out [256]
//   n:     n
__global__ void gathered(const float *__restrict__ x, const int *__restrict__ rows, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    float *t = sm;
    int *list = (int *)(sm + 64 * 16);
    if (threadIdx.x < 64)
        list[threadIdx.x] = rows[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    float acc = 0;
    // pipelinify: ldg-single, 1 stage, source 081abe14
    int k = 0;
    if (k < n) {
        for (int i = threadIdx.x; i < 64 * 16; i += 128)
            t[i] = x[(size_t)list[i / 16] * n + k + i % 16];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 16; k < n; k += 16) {
            float t_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (threadIdx.x < 128 ? threadIdx.x : 127) + slot * 128;
                t_next[slot] = x[(size_t)list[i / 16] * n + k + i % 16];
            }
            for (int i = 0; i < 64 * 16; i++)
                acc += t[i] * (i ^ threadIdx.x);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (threadIdx.x < 128 ? threadIdx.x : 127) + slot * 128;
                t[i] = t_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 64 * 16; i++)
            acc += t[i] * (i ^ threadIdx.x);
    }
    out[blockIdx.x * 128 + threadIdx.x] = acc;
}

// A table that stays stands ahead of the tile, and a count behind it.
//
// pipelinify: launch tabled
//   sizes  n=0,1,2,3,6
//   target n=8192
//   grid   3
//   block  128
//   smem   640 + 128 * 16 + 4
//   x:     in  [n * 128 + 1]
//   w:     in  [160]
//   out:   out [384]
//   n:     n
__global__ void tabled(const float4 *__restrict__ x, const float *__restrict__ w, float *__restrict__ out, int n)
{
    extern __shared__ __align__(16) unsigned char raw[];
    float *table = reinterpret_cast<float *>(raw);
    float4 *t = reinterpret_cast<float4 *>(table + 160);
    int *count = reinterpret_cast<int *>(t + 128);
    for (int i = threadIdx.x; i < 160; i += 128)
        table[i] = w[i];
    if (threadIdx.x == 0)
        *count = 0;
    float acc = 0;
    // pipelinify: ldg-single, 1 stage, source 36d63c5e
    int k = 0;
    if (k < n) {
        t[threadIdx.x] = x[k * 128 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float4 t_next = x[k * 128 + threadIdx.x];
            for (int i = 0; i < 128; i++)
                acc += t[i].x * table[i + 32] + t[i].w;
            if (t[127 - threadIdx.x].y > 0.5f)
                atomicAdd(count, 1);
            __syncthreads();
            t[threadIdx.x] = t_next;
            __syncthreads();
        }
        for (int i = 0; i < 128; i++)
            acc += t[i].x * table[i + 32] + t[i].w;
        if (t[127 - threadIdx.x].y > 0.5f)
            atomicAdd(count, 1);
        __syncthreads();
    }
    __syncthreads();
    out[blockIdx.x * 128 + threadIdx.x] = acc + *count;
}

// Scratch between two tiles, all of them by rows.
//
// pipelinify: launch turned
//   sizes  n=0,1,2,3,5
//   target n=2048
//   block  32, 32
//   smem   4 * (2 * 32 * 33 + 32 * 32)
//   A:     in  [n * 1024 + 1]
//   B:     in  [n * 1024 + 1]
//   out:   out [1024]
//   n:     n
__global__ void turned(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    float(*a)[33] = reinterpret_cast<float(*)[33]>(sm);
    float *part = sm + 32 * 33;
    float(*b)[33] = reinterpret_cast<float(*)[33]>(part + 32 * 32);
    int tx = threadIdx.x, ty = threadIdx.y;
    float acc = 0;
    // pipelinify: ldg-single, 1 stage, source 6c28d286
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            float s = 0;
            for (int i = 0; i < 32; i++)
                s += a[ty][i] * b[i][tx];
            part[ty * 32 + tx] = s;
            __syncthreads();
            acc += part[tx * 32 + ty];
        };
        a[ty][tx] = A[k * 1024 + ty * 32 + tx];
        b[ty][tx] = B[k * 1024 + ty * 32 + tx];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float a_next = A[k * 1024 + ty * 32 + tx];
            float b_next = B[k * 1024 + ty * 32 + tx];
            compute_tile();
            __syncthreads();
            a[ty][tx] = a_next;
            b[ty][tx] = b_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[ty * 32 + tx] = acc;
}

// What stands behind the last barrier changes scratch, beside the next tile's loads.
//
// pipelinify: launch changed_beside_loads
//   sizes  n=0,1,2,3,5
//   target n=8192
//   grid   2
//   block  64
//   smem   4 * 3 * 64
//   x:     in  [n * 128 + 1]
//   out:   out [128]
//   n:     n
__global__ void changed_beside_loads(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    float *a = sm, *keep = a + blockDim.x, *end = keep + blockDim.x;
    float s = 0;
    keep[threadIdx.x] = 3;
    end[threadIdx.x] = 1;
    __syncthreads();
    for (int t = 0; t < n; ++t) {
        a[threadIdx.x] = x[(t * 2 + blockIdx.x) * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            s += a[i] * keep[i ^ 1];
        __syncthreads();
        end[threadIdx.x] += s;
    }
    out[blockIdx.x * 64 + threadIdx.x] = s + end[threadIdx.x];
}

void run(const float *x, const float4 *y, const int *rows, float *out, int M, int N, int K, cudaStream_t stream)
{
    constexpr int BM = 64, BK = 32;
    const dim3 grid((N + 63) / 64, (M + 63) / 64);
    scaled_product<<<grid, 256, (64 * 16 + 16 * 64 + 256) * sizeof(float), stream>>>(x, x, out, M, N, K);
    size_t bytes = (BM * BK + BK + 128) * sizeof(float);
    column_maxima<BM, BK><<<M / BM, 128, bytes, stream>>>(x, x, out, K);
    rounds<<<1, 64, (K + 64) * sizeof(float)>>>(x, out, M, K);
    gathered<<<2, 128, (64 * 16 + 64) * sizeof(float)>>>(x, rows, out, K);
    tabled<<<3, 128, 640 + 128 * sizeof(float4) + 4>>>(y, x, out, K);
    changed_beside_loads<<<2, 64, 3 * 64 * sizeof(float)>>>(x, out, K);
    turned<<<1, dim3(32, 32), (2 * 32 * 33 + 32 * 32) * sizeof(float)>>>(x, x, out, K);
}
