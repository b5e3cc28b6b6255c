// Objects that know their arguments by a record: by a reference to it, or by a copy. The record's
// pointers are those of the kernel's argument.
#include <cuda_runtime.h>

struct Params {
    const float *a;
    const float *b;
    float *c;
    int n, k;
};

struct Storage {
    float a[16][17], b[16][17];
};

class ByReference {
    const Params &params_;
    Storage &storage_;
    const int tx_, ty_;

public:
    __device__ ByReference(const Params &params, Storage &storage)
        : params_(params), storage_(storage), tx_(threadIdx.x), ty_(threadIdx.y)
    {
    }
    __device__ void load(int k0)
    {
        const int r = blockIdx.y * 16 + ty_, c = blockIdx.x * 16 + tx_;
        storage_.a[ty_][tx_] = r < params_.n && k0 + tx_ < params_.k ? params_.a[r * params_.k + k0 + tx_] : 0.f;
        storage_.b[ty_][tx_] = c < params_.n && k0 + ty_ < params_.k ? params_.b[(k0 + ty_) * params_.n + c] : 0.f;
    }

    __device__ auto load_fetch(int k0)
    {
        struct {
            float a_next;
            float b_next;
        } next;
        const int r = blockIdx.y * 16 + ty_, c = blockIdx.x * 16 + tx_;
        next.a_next = r < params_.n && k0 + tx_ < params_.k ? params_.a[r * params_.k + k0 + tx_] : 0.f;
        next.b_next = c < params_.n && k0 + ty_ < params_.k ? params_.b[(k0 + ty_) * params_.n + c] : 0.f;
        return next;
    }

    template <typename Registers>
    __device__ void load_store(const Registers &next)
    {
        storage_.a[ty_][tx_] = next.a_next;
        storage_.b[ty_][tx_] = next.b_next;
    }
    __device__ float dot() const
    {
        float sum = 0.f;
        for (int i = 0; i < 16; ++i)
            sum += storage_.a[ty_][i] * storage_.b[i][tx_];
        return sum;
    }
};

// pipelinify: launch gemm
//   sizes    n=16,20 k=0,1,16,20,33,48,80
//   target   n=2048 k=2048
//   grid     (n + 15) / 16, (n + 15) / 16
//   block    16, 16
//   a:       in  [n * k + 1]
//   b:       in  [k * n + 1]
//   c:       out [n * n]
//   n:       n
//   k:       k
__global__ void gemm(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ Storage storage;
    const Params params = {a, b, c, n, k};
    ByReference core(params, storage);
    float acc = 0.f;
    // pipelinify: ldg-single, 1 stage, source ecbdbcc1
    int k0 = 0;
    if (k0 < k) {
        core.load(k0);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 16; k0 < k; k0 += 16) {
            auto storage_next = core.load_fetch(k0);
            acc += core.dot();
            __syncthreads();
            core.load_store(storage_next);
            __syncthreads();
        }
        acc += core.dot();
    }
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row < n && col < n)
        c[row * n + col] = acc;
}

struct Rows {
    const float *base;
    int ld;
};

struct RowLoader {
    Rows rows;
    float *tile;

    __device__ RowLoader(const Rows &rows_, float *tile_) : rows(rows_), tile(tile_) {}
    __device__ void load(int at) { tile[threadIdx.x] = rows.base[blockIdx.x * rows.ld + at + threadIdx.x]; }

    __device__ auto load_fetch(int at) {
        float tile_next = rows.base[blockIdx.x * rows.ld + at + threadIdx.x];
        return tile_next;
    }

    __device__ void load_store(float tile_next) {
        tile[threadIdx.x] = tile_next;
    }
};

// pipelinify: launch row_moments
//   sizes    n=32,64,96,160
//   target   n=65536
//   grid     3
//   block    32
//   x:       in  [3 * n]
//   out:     out [96]
//   n:       n
__global__ void row_moments(const float *x, float *out, int n)
{
    __shared__ float tile[32];
    const Rows rows = {x, n};
    RowLoader loader(rows, tile);
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 95792d90
    int at = 0;
    if (at < n) {
        loader.load(at);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += 32; at < n; at += 32) {
            auto tile_next = loader.load_fetch(at);
            for (int i = 0; i < 32; ++i)
                sum += tile[i] * tile[(i + threadIdx.x) & 31];
            __syncthreads();
            loader.load_store(tile_next);
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            sum += tile[i] * tile[(i + threadIdx.x) & 31];
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}

// What a table holds is copied as a whole: its pointers are those of the table, in which nobody
// changes any.
struct Problem {
    const float *x;
    float *y;
    int n;
};

__global__ void set_problems(Problem *table, const float *x, float *y, int n)
{
    table[threadIdx.x] = Problem{x + threadIdx.x * n, y + threadIdx.x * 64, n};
}

// pipelinify: launch grouped
//   sizes    n=0,1,63,64,130
//   grid     2
//   block    64
//   x:       in  [2 * n + 1]
//   y:       out [128]
//   n:       n
__global__ void grouped(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    const Problem problem = {x + blockIdx.x * n, y + blockIdx.x * 64, n};
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source f425794a
    int at = 0;
    if (at < problem.n) {
        tile[threadIdx.x] = at + threadIdx.x < problem.n ? problem.x[at + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += 64; at < problem.n; at += 64) {
            float tile_next = at + threadIdx.x < problem.n ? problem.x[at + threadIdx.x] : 0.f;
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * tile[(i + threadIdx.x) & 63];
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * tile[(i + threadIdx.x) & 63];
    }
    problem.y[threadIdx.x] = sum;
}

__global__ void grouped_by_table(const Problem *__restrict__ table)
{
    __shared__ float tile[64];
    const Problem problem = table[blockIdx.x];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source f425794a
    int at = 0;
    if (at < problem.n) {
        tile[threadIdx.x] = at + threadIdx.x < problem.n ? problem.x[at + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += 64; at < problem.n; at += 64) {
            float tile_next = at + threadIdx.x < problem.n ? problem.x[at + threadIdx.x] : 0.f;
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * tile[(i + threadIdx.x) & 63];
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * tile[(i + threadIdx.x) & 63];
        __syncthreads();
    }
    problem.y[threadIdx.x] = sum;
}
