// Records in dynamic shared memory that hold tiles and scratch: stages are of the tiles alone.
#include <cuda_runtime.h>

struct Shared {
    float a[32][33];
    float b[32][32];
    float largest[8];
    int order[64];
};

// The scratch of a reduction stands behind the tiles, and a list that is read by the whole kernel.
// pipelinify: launch by_reference
//   sizes  m=32,50 n=32,40 k=0,1,32,70
//   grid   (n + 31) / 32, (m + 31) / 32
//   block  32, 8
//   smem   8608
//   x:     in  [m * k + 1] random
//   y:     in  [k * n + 1] random
//   out:   out [m * n]
//   m: m
//   n: n
//   k: k
__global__ void by_reference(const float *__restrict__ x, const float *__restrict__ y,
                             float *__restrict__ out, int m, int n, int k)
{
    extern __shared__ char raw[];
    Shared &sh = *reinterpret_cast<Shared *>(raw);
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 32, col = blockIdx.x * 32 + tx;
    if (ty < 2)
        sh.order[ty * 32 + tx] = (tx * 5 + ty) % 8;
    __syncthreads();
    float sum[4] = {};
    // pipelinify: ldg-single, 1 stage, source f60723b6
    int k0 = 0;
    if (k0 < k) {
        auto compute_tile = [&]() {
            float largest = 0.f;
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 32; ++j) {
                    sum[i] += sh.a[ty + 8 * i][j] * sh.b[j][tx];
                    largest = fmaxf(largest, sh.b[j][tx]);
                }
            for (int d = 16; d > 0; d /= 2)
                largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, d));
            if (tx == 0)
                sh.largest[ty] = largest;
            __syncthreads();
            sum[0] += sh.largest[sh.order[tx]];
        };
        for (int i = ty; i < 32; i += 8) {
            sh.a[i][tx] = row + i < m && k0 + tx < k ? x[(row + i) * k + k0 + tx] : 0.f;
            sh.b[i][tx] = k0 + i < k && col < n ? y[(k0 + i) * n + col] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 32; k0 < k; k0 += 32) {
            float a_next[4];
            float b_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = ty + slot * 8;
                if (i < 32) {
                    a_next[slot] = row + i < m && k0 + tx < k ? x[(row + i) * k + k0 + tx] : 0.f;
                    b_next[slot] = k0 + i < k && col < n ? y[(k0 + i) * n + col] : 0.f;
                }
            }
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = ty + slot * 8;
                if (i < 32) {
                    sh.a[i][tx] = a_next[slot];
                    sh.b[i][tx] = b_next[slot];
                }
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        if (row + ty + 8 * i < m && col < n)
            out[(row + ty + 8 * i) * n + col] = sum[i] + sh.order[tx];
}

// By a pointer, with a sum that a function makes in the scratch ahead of the tile.
template <int THREADS>
struct Rows {
    float sums[THREADS];
    int count;
    float row[4 * THREADS];
};

template <int THREADS>
__device__ float block_sum(float value, float (&sums)[THREADS])
{
    sums[threadIdx.x] = value;
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        if (threadIdx.x < d)
            sums[threadIdx.x] += sums[threadIdx.x + d];
        __syncthreads();
    }
    return sums[0];
}

// pipelinify: launch by_pointer<128>
//   sizes  n=0,1,2,5
//   block  128
//   smem   5 * 128 * 4 + 4
//   x:     in  [n * 512 + 1] random
//   out:   out [n + 128]
//   n: n
template <int THREADS>
__global__ void by_pointer(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ __align__(16) unsigned char room[];
    auto *s = reinterpret_cast<Rows<THREADS> *>(room);
    const int tx = threadIdx.x;
    float all = 0.f;
    if (tx == 0)
        s->count = 0;
    // pipelinify: ldg-single, 1 stage, source 8cb5ee46
    int k = 0, k_tile = k;
    if (k < n) {
        auto compute_tile = [&]() {
            const float mine = s->row[tx] * s->row[(tx + 1) % (4 * THREADS)];
            const float sum = block_sum<THREADS>(mine, s->sums);
            if (tx == 0) {
                s->count += sum > 0.f;
                out[k_tile] = sum;
            }
            __syncthreads();
            all += s->row[4 * THREADS - 1 - tx] * s->count;
        };
        for (int i = tx; i < 4 * THREADS; i += THREADS)
            s->row[i] = x[k * 4 * THREADS + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float room_next[(4 * THREADS + THREADS - 1) / THREADS];
            #pragma unroll
            for (int slot = 0; slot < (4 * THREADS + THREADS - 1) / THREADS; ++slot) {
                int i = tx + slot * THREADS;
                if (i < 4 * THREADS)
                    room_next[slot] = x[k * 4 * THREADS + i];
            }
            compute_tile();
            ++k_tile;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < (4 * THREADS + THREADS - 1) / THREADS; ++slot) {
                int i = tx + slot * THREADS;
                if (i < 4 * THREADS)
                    s->row[i] = room_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[n + tx] = all;
}

// The block is the file's.
extern __shared__ float pool[];

struct Pooled {
    float tile[8][64];
    float carry[64];
};

// pipelinify: launch of_the_file
//   sizes  n=0,1,2,5
//   block  64
//   smem   2304
//   x:     in  [n * 512 + 1] random
//   out:   out [64]
//   n: n
__global__ void of_the_file(const float *__restrict__ x, float *__restrict__ out, int n)
{
    Pooled &p = reinterpret_cast<Pooled &>(*pool);
    const int tx = threadIdx.x;
    p.carry[tx] = tx;
    // pipelinify: ldg-single, 1 stage, source cb17daff
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            float sum = p.carry[tx];
            for (int i = 0; i < 8; ++i)
                sum = 0.5f * sum + p.tile[i][(tx + i) % 64];
            p.carry[tx] = sum;
        };
        for (int i = 0; i < 8; ++i)
            p.tile[i][tx] = x[(k * 8 + i) * 64 + tx];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float tile_next[8];
            #pragma unroll
            for (int i = 0; i < 8; ++i)
                tile_next[i] = x[(k * 8 + i) * 64 + tx];
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int i = 0; i < 8; ++i)
                p.tile[i][tx] = tile_next[i];
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    out[tx] = p.carry[tx];
}

void run(const float *x, const float *y, float *out, int m, int n, int k)
{
    by_reference<<<dim3((n + 31) / 32, (m + 31) / 32), dim3(32, 8), sizeof(Shared)>>>(x, y, out, m, n, k);
    by_pointer<128><<<1, 128, sizeof(Rows<128>)>>>(x, out, n);
    of_the_file<<<1, 64, sizeof(Pooled)>>>(x, out, n);
}
