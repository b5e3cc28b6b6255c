// Endless loops that use a tile, leave, and else fill it anew: the first tile is loaded ahead of
// the loop.
#include <cuda_runtime.h>

// pipelinify: launch dot_rows
//   sizes    n=64,128,192,320
//   target   n=16384
//   grid     2
//   block    64
//   a:       in  [128 * n] random
//   x:       in  [n] random
//   y:       out [128]
//   n:       n
__global__ void dot_rows(const float *__restrict__ a, const float *__restrict__ x,
                         float *__restrict__ y, int n)
{
    __shared__ float xs_stage[2][64];
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    const float *row = a + (size_t)r * n;
    float sum = 0.f;
    int base = 0;

    xs_stage[0][threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    #pragma unroll 8
    for (int i = 0; i < 64; ++i) // the tile's share
        sum += row[base + i] * xs_stage[0][i];
    base += 64;
    // pipelinify: ldg, 2 stages, source 16d400fe
    int base_tile = base, stage = 0;
    if (base < n) {
        __syncthreads();
        xs_stage[0][threadIdx.x] = x[base + threadIdx.x];
        base += 64;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (base < n) {
            float xs_next = x[base + threadIdx.x];
            #pragma unroll 8
            for (int i = 0; i < 64; ++i) // the tile's share
                sum += row[base_tile + i] * xs_stage[stage][i];
            base_tile += 64;
            stage ^= 1;
            xs_stage[stage][threadIdx.x] = xs_next;
            base += 64;
            __syncthreads();
        }
        #pragma unroll 8
        for (int i = 0; i < 64; ++i) // the tile's share
            sum += row[base_tile + i] * xs_stage[stage][i];
    }
    y[r] = sum;
}

// What is declared in the first half is the first half's own.
// pipelinify: launch until_done
//   sizes    n=1,63,64,65,200,256
//   target   n=16384
//   grid     1
//   block    64
//   w:       in  [n + 64] random
//   v:       in  [64] random
//   out:     out [64]
//   n:       n
__global__ void until_done(const float *__restrict__ w, const float *__restrict__ v,
                           float *__restrict__ out, int n)
{
    __shared__ float s_stage[2][64];
    int at = 0;
    float acc = 0.f;
    s_stage[0][threadIdx.x] = w[threadIdx.x];
    __syncthreads();
    // Until the weights run out.
    {
        const float scale = v[threadIdx.x]; // the thread's own
        for (int i = 0; i < 64 && at + i < n; ++i)
            acc += scale * s_stage[0][(i + threadIdx.x) % 64];
        at += 64;
    }
    // pipelinify: ldg, 2 stages, source 9cbbd504
    int at_tile = at, stage = 0;
    if (at < n) {
        __syncthreads();
        auto compute_tile = [&]() {
            const float scale = v[threadIdx.x]; // the thread's own
            for (int i = 0; i < 64 && at_tile + i < n; ++i)
                acc += scale * s_stage[stage][(i + threadIdx.x) % 64];
            at_tile += 64;
        };
        s_stage[0][threadIdx.x] = w[at + threadIdx.x];
        at += 64;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (at < n) {
            float s_next = w[at + threadIdx.x];
            compute_tile();
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            at += 64;
            __syncthreads(); // all have used it
        }
        compute_tile();
    }
    out[threadIdx.x] = acc;
}

// The header declares the counter, and the exit asks whether the sums are large enough.
// pipelinify: launch while_small
//   sizes    n=1,2,3,7
//   target   n=4096
//   grid     2
//   block    32
//   rows:    in  [32 * n] random
//   out:     out [64]
//   n:       n
__global__ void while_small(const float *__restrict__ rows, float *__restrict__ out, int n)
{
    __shared__ float row[32];
    float best = -1e30f;
    row[threadIdx.x] = rows[threadIdx.x];
    __syncthreads();
    for (int k = 1;;) {
        for (int i = 0; i < 32; ++i) {
            if (row[i] > 2.f)
                continue;
            best = fmaxf(best, row[i] * (threadIdx.x ^ i));
        }
        if (k == n)
            break;
        __syncthreads();
        row[threadIdx.x] = rows[k * 32 + threadIdx.x];
        ++k;
        __syncthreads();
    }
    out[blockIdx.x * 32 + threadIdx.x] = best;
}

// Two steps follow the exit, and nothing else.
// pipelinify: launch steps_behind
//   sizes    n=1,63,64,65,128,200,256
//   target   n=16384
//   grid     2
//   block    64
//   x:       in  [n + 64] random
//   y:       out [128]
//   n:       n
__global__ void steps_behind(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][64];
    float sum = 0.f;
    int k0 = 0, rounds = 0;
    s_stage[0][threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
        sum += s_stage[0][j];
    __syncthreads();
    // pipelinify: ldg, 2 stages, source ad24899f
    if (k0 + 64 < n) {
        int stage = 0;
        k0 += 64;
        s_stage[0][threadIdx.x] = x[k0 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (k0 + 64 < n) {
            k0 += 64;
            float s_next = x[k0 + threadIdx.x];
            ++rounds;
            for (int j = 0; j < 64; ++j)
                sum += s_stage[stage][j];
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            __syncthreads();
        }
        ++rounds;
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j];
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum + k0 + rounds;
}
