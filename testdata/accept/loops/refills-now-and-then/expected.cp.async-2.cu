// A loop over single elements, whose tile is filled anew where one is used up.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define BLOCK 64

// Rows of a sparse matrix; elements are passed over.
// pipelinify: launch csr_rows
//   sizes    rows=1,3 nnz=0,1,63,64,65,130,192
//   target   rows=512 nnz=65536
//   grid     rows
//   block    64
//   cols:    in  [nnz * rows] below(200)
//   vals:    in  [nnz * rows] random
//   x:       in  [200 * 64] random
//   y:       out [rows * 64]
//   nnz:     nnz
__global__ void csr_rows(const int *__restrict__ cols, const float *__restrict__ vals, const float *__restrict__ x,
                         float *__restrict__ y, int nnz)
{
    __shared__ int col_stage[2][BLOCK];
    __shared__ float val_stage[2][BLOCK];
    const int lane = threadIdx.x, first = blockIdx.x * nnz, last = first + nnz;
    float sum = 0.f;

    // pipelinify: cp.async, 2 stages, source 2e54168d
    int j_first_load = first, stage = 0;
    if (j_first_load < last) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (j_first_load < last) {
            // none
            if (j_first_load + lane < last) {
                __pipeline_memcpy_async(&col_stage[load_stage][lane], &cols[j_first_load + lane], sizeof(int));
            } else {
                col_stage[load_stage][lane] = -1;
            }
            __pipeline_memcpy_async(&val_stage[load_stage][lane], &vals[j_first_load + lane], sizeof(float),
                                    (j_first_load + lane < last) ? 0 : sizeof(float));
            j_first_load = last - j_first_load > BLOCK ? j_first_load + BLOCK : last;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int j_first = first; j_first < last; j_first = last - j_first > BLOCK ? j_first + BLOCK : last) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j_in = 0; j_in < BLOCK && j_first + j_in < last; ++j_in) {
            const int k = j_in;
            if (col_stage[stage][k] > 190)
                continue;
            sum = sum * 0.5f + val_stage[stage][k] * x[col_stage[stage][k] * 64 + lane];
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * 64 + lane] = sum;
}

// A product, whose inner dimension is gone through one by one.
// pipelinify: launch product<16>
//   sizes    M=16,20 N=16 K=0,1,15,16,17,40
//   target   M=1024 N=1024 K=1024
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K + 1] random
//   B:       in  [K * N + 1] random
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
template <int T>
__global__ void product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N,
                        int K)
{
    __shared__ float as_stage[2][T][T], bs_stage[2][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source b1aeaba9
    int k_first_load = 0, stage = 0;
    if (k_first_load < K) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_first_load < K) {
            __pipeline_memcpy_async(&as_stage[load_stage][ty][tx], &A[row * K + k_first_load + tx], sizeof(float),
                                    (row < M && k_first_load + tx < K) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&bs_stage[load_stage][ty][tx], &B[(k_first_load + ty) * N + col], sizeof(float),
                                    (k_first_load + ty < K && col < N) ? 0 : sizeof(float));
            k_first_load = K - k_first_load > T ? k_first_load + T : K;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k_first = 0; k_first < K; k_first = K - k_first > T ? k_first + T : K) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k_in = 0; k_in < T && k_first + k_in < K; ++k_in) {
            sum += as_stage[stage][ty][k_in] * bs_stage[stage][k_in][tx];
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (row < M && col < N)
        C[row * N + col] = sum;
}

// By a mask, in a loop around it.
// pipelinify: launch windows
//   sizes    n=0,1,31,32,33,64,100 times=1,2
//   target   n=100000 times=2
//   block    32
//   x:       in  [n * times + 32] random
//   y:       out [32]
//   n:       n
//   times:   times
__global__ void __launch_bounds__(32) windows(const float *__restrict__ x, float *__restrict__ y, unsigned n, int times)
{
    __shared__ float part_stage[2][32];
    float sum = 0.f;
    for (int t = 0; t < times; ++t) {
        const float *from = x + t * n;
        // pipelinify: cp.async, 2 stages, source 57ca09ee
        unsigned j_first_load = 0;
        if (j_first_load < n) {
            __syncthreads();
        }
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (j_first_load < n) {
                __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &from[j_first_load + threadIdx.x],
                                        sizeof(float));
                j_first_load = n - j_first_load > 32 ? j_first_load + 32 : n;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        int stage = 0;
        // Main loop: 1 tile is in flight while computing on one.
        for (unsigned j_first = 0; j_first < n; j_first = n - j_first > 32 ? j_first + 32 : n) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (unsigned j_in = 0; j_in < 32 && j_first + j_in < n; ++j_in) {
                for (int i = 0; i < 4; ++i) {
                    if (i * 9 > threadIdx.x)
                        break;
                    sum = sum * 0.75f + part_stage[stage][j_in];
                }
            }
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
    }
    y[threadIdx.x] = sum;
}

// Taps of a filter, of which the first of a tile is told by what comes before it; the
// number of the tile is asked for by compute alone.
// pipelinify: launch taps
//   sizes    n=0,1,31,32,33,64,100
//   target   n=100000
//   block    32
//   x:       in  [n + 32] random
//   w:       in  [n / 32 + 1] random
//   y:       out [64]
//   n:       n
__global__ void __launch_bounds__(32) taps(const float *__restrict__ x, const float *__restrict__ w,
                                           float *__restrict__ y, unsigned n)
{
    __shared__ float part_stage[2][32];
    float sum = 0.f, other = 0.f;
    // pipelinify: cp.async, 2 stages, source 2ab2c05f
    {
        unsigned j_first_load = 0;
        if (j_first_load < n) {
            __syncthreads();
        }
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (j_first_load < n) {
                __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &x[j_first_load + threadIdx.x],
                                        sizeof(float), (threadIdx.x < 0u - 1) ? 0 : sizeof(float));
                j_first_load = n - j_first_load > 32 ? j_first_load + 32 : n;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        int stage = 0;
        // Main loop: 1 tile is in flight while computing on one.
        for (unsigned j_first = 0; j_first < n; j_first = n - j_first > 32 ? j_first + 32 : n) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (unsigned j_in = 0; j_in < 32 && j_first + j_in < n; ++j_in) {
                const unsigned k = j_in;
                sum = sum * 0.75f + part_stage[stage][k];
            }
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
    }
    // pipelinify: cp.async, 2 stages, source ec208fc4
    {
        unsigned j_first_load = 0;
        if (j_first_load < n) {
            __syncthreads();
        }
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (j_first_load < n) {
                __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &x[j_first_load + threadIdx.x],
                                        sizeof(float));
                j_first_load = n - j_first_load > 32 ? j_first_load + 32 : n;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        int stage = 0;
        // Main loop: 1 tile is in flight while computing on one.
        for (unsigned j_first = 0; j_first < n; j_first = n - j_first > 32 ? j_first + 32 : n) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            for (unsigned j_in = 0; j_in < 32 && j_first + j_in < n; ++j_in) {
                unsigned j = j_first + j_in;
                const unsigned tile = j / 32;
                other = other * 0.75f + part_stage[stage][j_in] * w[tile];
            }
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
    }
    y[threadIdx.x] = sum;
    y[threadIdx.x + 32] = other;
}

__device__ void note(int &seen, int place) { seen += place; }

// What names the counter beside its place in the tile, and a place in another type.
// pipelinify: launch marked
//   sizes    n=0,1,63,64,65,130 from=0,3
//   target   n=65536 from=3
//   grid     1
//   block    64
//   x:       in  [n + 70] random
//   y:       out [64]
//   n:       n
//   from:    from
__global__ void marked(const float *__restrict__ x, float *__restrict__ y, int n, int from)
{
    __shared__ float part_stage[2][BLOCK];
    float sum = 0.f;
    int seen = 0;
    // pipelinify: cp.async, 2 stages, source b3eec4fd
    int i_first_load = from, stage = 0;
    if (i_first_load < (n + from)) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_first_load < (n + from)) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &x[i_first_load + threadIdx.x], sizeof(float),
                                    (i_first_load + threadIdx.x < n + from) ? 0 : sizeof(float));
            i_first_load = (n + from) - i_first_load > BLOCK ? i_first_load + BLOCK : (n + from);
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int i_first = from; i_first < (n + from);
         i_first = (n + from) - i_first > BLOCK ? i_first + BLOCK : (n + from)) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i_in = 0; i_in < BLOCK && i_first + i_in < (n + from); ++i_in) {
            int i = i_first + i_in;
            if (part_stage[stage][i_in] < 0.1f)
                continue;
            sum = sum * 0.5f + part_stage[stage][i_in] * (float)(i % 7 - i_in * 2);
            note(seen, i);
            sum += (i - from) % 64u - 1 > threadIdx.x ? 1.f : 2.f;
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum + seen;
}


// The counter's type is that of the number it begins with: one place ahead of the first is the last.
// pipelinify: launch rings
//   sizes    n=0,1,63,64,65,130
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n + 70] random
//   y:       out [64]
//   n:       n
__global__ void rings(const float *__restrict__ x, float *__restrict__ y, unsigned n)
{
    __shared__ float part_stage[2][BLOCK];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 7edd167c
    auto i_first_load = 0u;
    if (i_first_load < n) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_first_load < n) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &x[i_first_load + threadIdx.x], sizeof(float),
                                    (i_first_load + threadIdx.x < n) ? 0 : sizeof(float));
            i_first_load = n - i_first_load > BLOCK ? i_first_load + BLOCK : n;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    for (auto i_first = 0u; i_first < n; i_first = n - i_first > BLOCK ? i_first + BLOCK : n) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (auto i_in = 0u; i_in < BLOCK && i_first + i_in < n; ++i_in) {
            const auto place = i_in;
            sum = sum * 0.5f + part_stage[stage][(place - 1) % BLOCK] + (threadIdx.x + 1) * part_stage[stage][place];
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}
