// Element-type generic GEMM; loads and products go through functions that take the tiles as raw pointers.
#ifndef MATMUL_TILE
#define MATMUL_TILE 16
#endif

template <typename T>
__device__ void fetch(T *tile, const T *matrix, unsigned row, unsigned col, unsigned rows, unsigned cols)
{
    T value = T();
    if (row < rows)
        if (col < cols)
            value = matrix[static_cast<unsigned long>(row) * cols + col];
    tile[threadIdx.y * MATMUL_TILE + threadIdx.x] = value;
}

template <typename T>
__device__ auto load_fetch(const T *matrix, unsigned row, unsigned col, unsigned rows, unsigned cols)
{
    T value = T();
    if (row < rows) {
        if (col < cols)
            value = matrix[static_cast<unsigned long>(row) * cols + col];
    }
    T tile_next = value;
    return tile_next;
}

template <typename T>
__device__ void load_store(T *tile, T tile_next)
{
    tile[threadIdx.y * MATMUL_TILE + threadIdx.x] = tile_next;
}

template <typename T>
__device__ T dot(const T *a, const T *b)
{
    T sum = T();
    for (unsigned i = 0; i < MATMUL_TILE; ++i)
        sum += a[threadIdx.y * MATMUL_TILE + i] * b[i * MATMUL_TILE + threadIdx.x];
    return sum;
}

// pipelinify: launch matmul<int>
//   sizes    m=16 n=16 k=0,1,15,16,17,32,48,64,80
//   sizes    m=3 n=47 k=31
//   target   m=2048 n=2048 k=2048
//   requires m > 0 && n > 0
//   grid     (n + 15) / 16, (m + 15) / 16
//   block    16, 16
//   lhs:     in  [m * k]
//   rhs:     in  [k * n]
//   result:  out [m * n]
//   m:       m
//   n:       n
//   k:       k
// pipelinify: launch matmul<double>
//   sizes    m=16 n=18 k=0,16,33,64
//   target   m=2048 n=2048 k=2048
//   requires m > 0 && n > 0
//   grid     (n + 15) / 16, (m + 15) / 16
//   block    16, 16
//   lhs:     in  [m * k]
//   rhs:     in  [k * n]
//   result:  out [m * n]
//   m:       m
//   n:       n
//   k:       k
template <typename T>
__global__ void matmul(const T *lhs, const T *rhs, T *result, unsigned m, unsigned n, unsigned k)
{
    __shared__ T left[MATMUL_TILE * MATMUL_TILE];
    __shared__ T right[MATMUL_TILE * MATMUL_TILE];
    const unsigned row = blockIdx.y * MATMUL_TILE + threadIdx.y;
    const unsigned col = blockIdx.x * MATMUL_TILE + threadIdx.x;

    T sum = T();
    // pipelinify: ldg-single, 1 stage, source ef2d0e9c
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    unsigned offset = 0;
    if (offset < k) {
        fetch(left, lhs, row, offset + threadIdx.x, m, k);
        fetch(right, rhs, offset + threadIdx.y, col, k, n);
        offset += MATMUL_TILE;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; offset < k; offset += MATMUL_TILE) {
            auto left_next = load_fetch(lhs, row, offset + threadIdx.x, m, k);
            auto right_next = load_fetch(rhs, offset + threadIdx.y, col, k, n);
            sum += dot(left, right);
            __syncthreads();
            load_store(left, left_next);
            load_store(right, right_next);
            __syncthreads();
        }
        sum += dot(left, right);
    }
    if (row < m && col < n)
        result[row * n + col] = sum;
}
