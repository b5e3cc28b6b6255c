// A loop over single elements, whose tile is filled anew where one is used up.
#include <cuda_runtime.h>

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
    __shared__ int col[BLOCK];
    __shared__ float val[BLOCK];
    const int lane = threadIdx.x, first = blockIdx.x * nnz, last = first + nnz;
    float sum = 0.f;

    // pipelinify: ldg-single, 1 stage, source 2e54168d
    int j_first = first, j_first_tile = j_first;
    if (j_first < last) {
        __syncthreads();
        auto compute_tile = [&]() {
            for (int j_in = 0; j_in < BLOCK && j_first_tile + j_in < last; ++j_in) {
                const int k = j_in;
                if (col[k] > 190)
                    continue;
                sum = sum * 0.5f + val[k] * x[col[k] * 64 + lane];
            }
        };
        col[lane] = j_first + lane < last ? cols[j_first + lane] : -1; // none
        val[lane] = j_first + lane < last ? vals[j_first + lane] : 0.f;
        j_first = last - j_first > BLOCK ? j_first + BLOCK : last;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; j_first < last; j_first = last - j_first > BLOCK ? j_first + BLOCK : last) {
            int col_next = j_first + lane < last ? cols[j_first + lane] : -1; // none
            float val_next = j_first + lane < last ? vals[j_first + lane] : 0.f;
            compute_tile();
            j_first_tile = last - j_first_tile > BLOCK ? j_first_tile + BLOCK : last;
            __syncthreads();
            col[lane] = col_next;
            val[lane] = val_next;
            __syncthreads();
        }
        compute_tile();
    }
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
    __shared__ float as[T][T], bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source b1aeaba9
    int k_first = 0, k_first_tile = k_first;
    if (k_first < K) {
        __syncthreads();
        as[ty][tx] = row < M && k_first + tx < K ? A[row * K + k_first + tx] : 0.f;
        bs[ty][tx] = k_first + ty < K && col < N ? B[(k_first + ty) * N + col] : 0.f;
        k_first = K - k_first > T ? k_first + T : K;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; k_first < K; k_first = K - k_first > T ? k_first + T : K) {
            float as_next = row < M && k_first + tx < K ? A[row * K + k_first + tx] : 0.f;
            float bs_next = k_first + ty < K && col < N ? B[(k_first + ty) * N + col] : 0.f;
            for (int k_in = 0; k_in < T && k_first_tile + k_in < K; ++k_in) {
                sum += as[ty][k_in] * bs[k_in][tx];
            }
            k_first_tile = K - k_first_tile > T ? k_first_tile + T : K;
            __syncthreads();
            as[ty][tx] = as_next;
            bs[ty][tx] = bs_next;
            __syncthreads();
        }
        for (int k_in = 0; k_in < T && k_first_tile + k_in < K; ++k_in) {
            sum += as[ty][k_in] * bs[k_in][tx];
        }
    }
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
    __shared__ float part[32];
    float sum = 0.f;
    for (int t = 0; t < times; ++t) {
        const float *from = x + t * n;
        // pipelinify: ldg-single, 1 stage, source 57ca09ee
        unsigned j_first = 0;
        unsigned int j_first_tile = j_first;
        if (j_first < n) {
            __syncthreads();
            auto compute_tile = [&]() {
                for (unsigned j_in = 0; j_in < 32 && j_first_tile + j_in < n; ++j_in) {
                    for (int i = 0; i < 4; ++i) {
                        if (i * 9 > threadIdx.x)
                            break;
                        sum = sum * 0.75f + part[j_in];
                    }
                }
            };
            part[threadIdx.x] = from[j_first + threadIdx.x];
            j_first = n - j_first > 32 ? j_first + 32 : n;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (; j_first < n; j_first = n - j_first > 32 ? j_first + 32 : n) {
                float part_next = from[j_first + threadIdx.x];
                compute_tile();
                j_first_tile = n - j_first_tile > 32 ? j_first_tile + 32 : n;
                __syncthreads();
                part[threadIdx.x] = part_next;
                __syncthreads();
            }
            compute_tile();
        }
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
    __shared__ float part[32];
    float sum = 0.f, other = 0.f;
    // pipelinify: ldg-single, 1 stage, source 2ab2c05f
    {
        unsigned j_first = 0;
        unsigned int j_first_tile = j_first;
        if (j_first < n) {
            __syncthreads();
            auto compute_tile = [&]() {
                for (unsigned j_in = 0; j_in < 32 && j_first_tile + j_in < n; ++j_in) {
                    const unsigned k = j_in;
                    sum = sum * 0.75f + part[k];
                }
            };
            part[threadIdx.x] = threadIdx.x < 0u - 1 ? x[j_first + threadIdx.x] : 0.f;
            j_first = n - j_first > 32 ? j_first + 32 : n;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (; j_first < n; j_first = n - j_first > 32 ? j_first + 32 : n) {
                float part_next = threadIdx.x < 0u - 1 ? x[j_first + threadIdx.x] : 0.f;
                compute_tile();
                j_first_tile = n - j_first_tile > 32 ? j_first_tile + 32 : n;
                __syncthreads();
                part[threadIdx.x] = part_next;
                __syncthreads();
            }
            compute_tile();
        }
    }
    // pipelinify: ldg-single, 1 stage, source ec208fc4
    {
        unsigned j_first = 0;
        unsigned int j_first_tile = j_first;
        if (j_first < n) {
            __syncthreads();
            auto compute_tile = [&]() {
                for (unsigned j_in = 0; j_in < 32 && j_first_tile + j_in < n; ++j_in) {
                    unsigned j = j_first_tile + j_in;
                    const unsigned tile = j / 32;
                    other = other * 0.75f + part[j_in] * w[tile];
                }
            };
            part[threadIdx.x] = x[j_first + threadIdx.x];
            j_first = n - j_first > 32 ? j_first + 32 : n;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (; j_first < n; j_first = n - j_first > 32 ? j_first + 32 : n) {
                float part_next = x[j_first + threadIdx.x];
                compute_tile();
                j_first_tile = n - j_first_tile > 32 ? j_first_tile + 32 : n;
                __syncthreads();
                part[threadIdx.x] = part_next;
                __syncthreads();
            }
            compute_tile();
        }
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
    __shared__ float part[BLOCK];
    float sum = 0.f;
    int seen = 0;
    // pipelinify: ldg-single, 1 stage, source b3eec4fd
    int i_first = from, i_first_tile = i_first;
    if (i_first < (n + from)) {
        __syncthreads();
        auto compute_tile = [&]() {
            for (int i_in = 0; i_in < BLOCK && i_first_tile + i_in < (n + from); ++i_in) {
                int i = i_first_tile + i_in;
                if (part[i_in] < 0.1f)
                    continue;
                sum = sum * 0.5f + part[i_in] * (float)(i % 7 - i_in * 2);
                note(seen, i);
                sum += (i - from) % 64u - 1 > threadIdx.x ? 1.f : 2.f;
            }
        };
        part[threadIdx.x] = i_first + threadIdx.x < n + from ? x[i_first + threadIdx.x] : 0.f;
        i_first = (n + from) - i_first > BLOCK ? i_first + BLOCK : (n + from);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; i_first < (n + from); i_first = (n + from) - i_first > BLOCK ? i_first + BLOCK : (n + from)) {
            float part_next = i_first + threadIdx.x < n + from ? x[i_first + threadIdx.x] : 0.f;
            compute_tile();
            i_first_tile = (n + from) - i_first_tile > BLOCK ? i_first_tile + BLOCK : (n + from);
            __syncthreads();
            part[threadIdx.x] = part_next;
            __syncthreads();
        }
        compute_tile();
    }
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
    __shared__ float part[BLOCK];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 7edd167c
    auto i_first = 0u;
    unsigned int i_first_tile = i_first;
    if (i_first < n) {
        __syncthreads();
        auto compute_tile = [&]() {
            for (auto i_in = 0u; i_in < BLOCK && i_first_tile + i_in < n; ++i_in) {
                const auto place = i_in;
                sum = sum * 0.5f + part[(place - 1) % BLOCK] + (threadIdx.x + 1) * part[place];
            }
        };
        part[threadIdx.x] = i_first + threadIdx.x < n ? x[i_first + threadIdx.x] : 0.f;
        i_first = n - i_first > BLOCK ? i_first + BLOCK : n;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; i_first < n; i_first = n - i_first > BLOCK ? i_first + BLOCK : n) {
            float part_next = i_first + threadIdx.x < n ? x[i_first + threadIdx.x] : 0.f;
            compute_tile();
            i_first_tile = n - i_first_tile > BLOCK ? i_first_tile + BLOCK : n;
            __syncthreads();
            part[threadIdx.x] = part_next;
            __syncthreads();
        }
        compute_tile();
    }
    y[threadIdx.x] = sum;
}
