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

    for (int j = first; j < last; ++j) {
        const int k = (j - first) % BLOCK;
        // Is it used up?
        if (k == 0) {
            __syncthreads();
            col[lane] = j + lane < last ? cols[j + lane] : -1; // none
            val[lane] = j + lane < last ? vals[j + lane] : 0.f;
            __syncthreads();
        }
        if (col[k] > 190)
            continue;
        sum = sum * 0.5f + val[k] * x[col[k] * 64 + lane];
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
    for (int k = 0; K > k; k++) {
        if (!(k % T)) {
            __syncthreads();
            as[ty][tx] = row < M && k + tx < K ? A[row * K + k + tx] : 0.f;
            bs[ty][tx] = k + ty < K && col < N ? B[(k + ty) * N + col] : 0.f;
            __syncthreads();
        }
        sum += as[ty][k % T] * bs[k % T][tx];
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
        for (unsigned j = 0; j < n; ++j) {
            if ((j & 31) == 0) {
                __syncthreads();
                part[threadIdx.x] = from[j + threadIdx.x];
                __syncthreads();
            }
            for (int i = 0; i < 4; ++i) {
                if (i * 9 > threadIdx.x)
                    break;
                sum = sum * 0.75f + part[j & 31];
            }
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
    for (unsigned j = 0; j < n; ++j) {
        const unsigned k = j % 32;
        if (k == 0) {
            __syncthreads();
            part[threadIdx.x] = threadIdx.x < k - 1 ? x[j + threadIdx.x] : 0.f;
            __syncthreads();
        }
        sum = sum * 0.75f + part[k];
    }
    for (unsigned j = 0; j < n; ++j) {
        const unsigned tile = j / 32;
        if (j % 32 == 0) {
            __syncthreads();
            part[threadIdx.x] = x[j + threadIdx.x];
            __syncthreads();
        }
        other = other * 0.75f + part[j % 32] * w[tile];
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
    for (int i = from; i < n + from; ++i) {
        if ((i - from) % BLOCK == 0) {
            __syncthreads();
            part[threadIdx.x] = i + threadIdx.x < n + from ? x[i + threadIdx.x] : 0.f;
            __syncthreads();
        }
        if (part[(i - from) % BLOCK] < 0.1f)
            continue;
        sum = sum * 0.5f + part[(i - from) % BLOCK] * (float)(i % 7 - (i - from) % BLOCK * 2);
        note(seen, i);
        sum += (i - from) % 64u - 1 > threadIdx.x ? 1.f : 2.f;
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
    for (auto i = 0u; i < n; ++i) {
        const auto place = i % BLOCK;
        if (place == 0) {
            __syncthreads();
            part[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : 0.f;
            __syncthreads();
        }
        sum = sum * 0.5f + part[(place - 1) % BLOCK] + (threadIdx.x + 1) * part[place];
    }
    y[threadIdx.x] = sum;
}
