// Loops that their authors have double-buffered, to be given more stages.
#include <cuda_pipeline.h>

#define TILE 16

// Through registers, with a variable that says which buffer, and a loop that begins at the
// second tile.
// pipelinify: launch product
//   sizes  n=16,32,48,160
//   grid   n / 16, n / 16
//   block  16, 16
//   A:     in  [n * n] random
//   B:     in  [n * n] random
//   C:     out [n * n]
//   n: n
__global__ void product(const float *__restrict__ A, const float *__restrict__ B,
                        float *__restrict__ C, int n)
{
    __shared__ float As[2][TILE][TILE];
    __shared__ float Bs[2][TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float acc = 0.f;
    int buf = 0;

    As[0][ty][tx] = A[row * n + tx];
    Bs[0][ty][tx] = B[ty * n + col];
    __syncthreads();

    for (int k0 = TILE; k0 <= n; k0 += TILE) {
        if (k0 < n) {
            As[buf ^ 1][ty][tx] = A[row * n + k0 + tx];
            Bs[buf ^ 1][ty][tx] = B[(k0 + ty) * n + col];
        }
        for (int k = 0; k < TILE; ++k)
            acc += As[buf][ty][k] * Bs[buf][k][tx];
        buf ^= 1;
        __syncthreads();
    }
    C[row * n + col] = acc;
}

// By primitives; slots have names of their own.
// pipelinify: launch rows_by_primitives
//   sizes  n=0,1,2,3,7
//   block  64
//   a:     in  [n * 256 + 256] random
//   out:   out [64]
//   n: n
__global__ void rows_by_primitives(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float rows[2][256];
    const int t = threadIdx.x;
    float s = 0.f;
    __pipeline_memcpy_async(&rows[0][4 * t], a + 4 * t, 16);
    __pipeline_commit();
    for (int k = 0; k < n; ++k) {
        const int cur = k & 1, next = cur ^ 1;
        if (k + 1 < n)
            __pipeline_memcpy_async(&rows[next][4 * t], a + (k + 1) * 256 + 4 * t, 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int i = 0; i < 8; ++i)
            s += rows[cur][(t * 3 + i * 31) % 256] * (k + 1);
        __syncthreads();
    }
    out[t] = s;
}

__device__ __forceinline__ void copy16(void *to, const void *from)
{
    const unsigned cell = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(cell), "l"(from));
}

__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }

template <int LEFT>
__device__ __forceinline__ void wait()
{
    asm volatile("cp.async.wait_group %0;\n" ::"n"(LEFT) : "memory");
}

constexpr int stages_by_hand = 2;

// By assembly; one barrier an iteration, ahead of the copies, which are for two tiles and a
// row in several steps.
// pipelinify: launch dots_by_assembly
//   sizes  n=0,1,2,3,7
//   block  32
//   a:     in  [n * 512 + 512] random
//   b:     in  [n * 128 + 128] random
//   out:   out [32]
//   n: n
__global__ void dots_by_assembly(const float *__restrict__ a, const float *__restrict__ b,
                                 float *__restrict__ out, int n)
{
    __shared__ __align__(16) float as[stages_by_hand][512], bs[stages_by_hand][1][128];
    const int t = threadIdx.x;
    float s = 0.f;
    if (0 < n) {
        for (int i = t; i < 128; i += 32)
            copy16(&as[0][4 * i], &a[4 * i]);
        copy16(&bs[0][0][4 * t], &b[4 * t]);
    }
    commit();
    for (int k = 0; k < n; k++) {
        wait<0>();
        __syncthreads();
        if (k < n - 1) {
            for (int i = t; i < 128; i += 32)
                copy16(&as[(k + 1) % 2][4 * i], &a[512 * (k + 1) + 4 * i]);
            copy16(&bs[(k + 1) % 2][0][4 * t], &b[k * 128 + 128 + 4 * t]);
        }
        commit();
        for (int i = 0; i < 4; ++i)
            s += as[k % 2][t * 16 + i] * bs[k % 2][0][(t + i * 9) % 128];
    }
    out[t] = s;
}

// The wait goes with the copies, and the last tile has one of its own.
// pipelinify: launch sums_by_branches<64>
//   sizes  n=0,1,2,3,7
//   block  64
//   a:     in  [n * 256 + 256] random
//   out:   out [64]
//   n: n
template <int T>
__global__ void sums_by_branches(const int *__restrict__ a, int *__restrict__ out, int n)
{
    __shared__ __align__(16) int cells[2][4 * T];
    int turn = 0, sum = 0;
    __pipeline_memcpy_async(&cells[turn][4 * threadIdx.x], &a[4 * threadIdx.x], sizeof(int4));
    __pipeline_commit();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n) {
            __pipeline_memcpy_async(&cells[1 - turn][4 * threadIdx.x],
                                    &a[(k + 1) * 4 * T + 4 * threadIdx.x], sizeof(int4));
            __pipeline_commit();
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        for (int i = 0; i < 4; ++i)
            sum = 3 * sum + cells[turn][(threadIdx.x * 5 + i * T) % (4 * T)];
        turn = 1 - turn;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

void run(const int *a, int *out, int n) { sums_by_branches<64><<<1, 64>>>(a, out, n); }

// pipelinify: launch first_by_its_place
//   sizes    n=1,2,3,8
//   target   n=512
//   grid     2
//   block    64
//   g:       in  [n * 64]
//   o:       out [2 * 64]
//   n:       n
__global__ void first_by_its_place(const float *__restrict__ g, float *__restrict__ o, int n)
{
    __shared__ float s[2][64];
    float sum = 0.f;
    s[0][threadIdx.x] = g[threadIdx.x];
    __syncthreads();
    for (int t = 0; t < n; ++t) {
        if (t + 1 < n)
            s[(t + 1) & 1][threadIdx.x] = g[(t + 1) * 64 + threadIdx.x];
        for (int i = 0; i < 64; ++i)
            sum += s[t & 1][i] * (float)((i + threadIdx.x + blockIdx.x) % 9);
        __syncthreads();
    }
    o[blockIdx.x * 64 + threadIdx.x] = sum;
}

#ifndef WIDTH
#define WIDTH 64
#endif

// pipelinify: launch with_its_lines
//   sizes    n=0,1,2,3,8
//   block    64
//   g:       in  [n * 64 + 64]
//   o:       out [64]
//   n:       n
__global__ void with_its_lines(const float *__restrict__ g, float *__restrict__ o, int n)
{
    __shared__ float s[2][WIDTH];
    float sum = 0.f;
    s[0][threadIdx.x] = g[threadIdx.x];
    __syncthreads();
    for (int t = 0; t < n; ++t) {
        if (t + 1 < n)
            s[(t + 1) & 1][threadIdx.x] = g[(t + 1) * WIDTH + threadIdx.x];
        // Half of what came before, and all of the row.
        sum *= 0.5f;
#pragma unroll 8
        for (int i = 0; i < WIDTH; ++i)
            sum += s[t & 1][i] * (float)((i + threadIdx.x) % 9);
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}
