// Tiles that are members of records which the kernel itself declares: one with a
// name, of vectors that hang on the template, and one without.

#include <cuda_pipeline.h>

template <typename T>
struct alignas(16) Four {
    T v[4];
};

template <typename T, int BM, int BN, int BK>
__global__ void __launch_bounds__((BM / 4) * (BN / 4))
product_nt(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c,
           long lda, long ldb, long ldc, long k)
{
    constexpr int THREADS = (BM / 4) * (BN / 4);
    using Vec = Four<T>;
    struct Tiles {
        Vec a[BM][BK / 4];
        Vec b[BN][BK / 4];
    };
    __shared__ Tiles tiles_stage[2];

    a += blockIdx.y * BM * lda;
    b += blockIdx.x * BN * ldb;
    const int ty = threadIdx.x / (BN / 4), tx = threadIdx.x % (BN / 4);
    T acc[4][4] = {};

    // pipelinify: cp.async, 2 stages, source cf5b208f
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(Vec) && (sizeof(Vec) == 4 || sizeof(Vec) == 8 || sizeof(Vec) == 16) &&
                  alignof(Vec) == sizeof(Vec),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    long kk_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (kk_load < k) {
            for (int i = threadIdx.x; i < BM * (BK / 4); i += THREADS) {
                const int r = i / (BK / 4), q = i % (BK / 4);
                __pipeline_memcpy_async(&tiles_stage[load_stage].a[r][q],
                                        reinterpret_cast<const Vec *>(a + r * lda + kk_load + q * 4), sizeof(Vec));
            }
            for (int i = threadIdx.x; i < BN * (BK / 4); i += THREADS) {
                const int r = i / (BK / 4), q = i % (BK / 4);
                __pipeline_memcpy_async(&tiles_stage[load_stage].b[r][q],
                                        reinterpret_cast<const Vec *>(b + r * ldb + kk_load + q * 4), sizeof(Vec));
            }
            kk_load += BK;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    for (long kk = 0; kk < k; kk += BK) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int q = 0; q < BK / 4; ++q)
            for (int e = 0; e < 4; ++e)
                for (int i = 0; i < 4; ++i)
                    for (int j = 0; j < 4; ++j)
                        acc[i][j] += tiles_stage[stage].a[ty * 4 + i][q].v[e] *
                                     tiles_stage[stage].b[tx * 4 + j][q].v[e];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            c[(blockIdx.y * BM + ty * 4 + i) * ldc + blockIdx.x * BN + tx * 4 + j] =
                acc[i][j];
}

template <int ENTRIES>
__global__ void spmm_rows(const int *__restrict__ first, const int *__restrict__ col,
                          const float *__restrict__ val, const float *__restrict__ B,
                          float *__restrict__ C, int columns)
{
    __shared__ struct {
        int col[ENTRIES];
        float val[ENTRIES];
    } row_stage[2];
    const int j = blockIdx.y * blockDim.x + threadIdx.x;
    const int end = first[blockIdx.x + 1];
    float sum = 0;
    // pipelinify: cp.async, 2 stages, source 2621514f
    int p = first[blockIdx.x], p_load = p, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (p_load < end) {
            const int t = threadIdx.x;
            if (t < ENTRIES && p_load + t < end) {
                __pipeline_memcpy_async(&row_stage[load_stage].col[t], &col[p_load + t], sizeof(int));
                __pipeline_memcpy_async(&row_stage[load_stage].val[t], &val[p_load + t], sizeof(float));
            }
            p_load += ENTRIES;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (; p < end; p += ENTRIES) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        const int here = end - p < ENTRIES ? end - p : ENTRIES;
        if (j < columns)
            for (int k = 0; k < here; k++)
                sum += row_stage[stage].val[k] * B[row_stage[stage].col[k] * columns + j];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (j < columns)
        C[blockIdx.x * columns + j] = sum;
}

// Packed, so that its numbers lie at no multiples of their size.
template <int N>
__global__ void sums_of_packed(const float *__restrict__ x, float *__restrict__ sums,
                               int tiles)
{
    struct __attribute__((packed)) Row {
        char tag;
        float v[N];
    };
    __shared__ Row row;
    float sum = 0;
    for (int t = 0; t < tiles; t++) {
        row.v[threadIdx.x] = x[t * N + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < N; i++)
            sum += row.v[i ^ threadIdx.x];
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

// As a whole it begins at a multiple of sixteen, which says nothing of its numbers.
template <int N>
struct __attribute__((packed, aligned(16))) Tagged {
    char tag;
    float v[N];
};

template <int N>
__global__ void sums_of_tagged(const float *__restrict__ x, float *__restrict__ sums,
                               int tiles)
{
    __shared__ Tagged<N> row;
    float sum = 0;
    for (int t = 0; t < tiles; t++) {
        row.v[threadIdx.x] = x[t * N + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < N; i++)
            sum += row.v[i ^ threadIdx.x];
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

template __global__ void product_nt<float, 32, 32, 8>(const float *, const float *, float *, long, long, long, long);
template __global__ void spmm_rows<32>(const int *, const int *, const float *, const float *, float *, int);
template __global__ void sums_of_packed<32>(const float *, float *, int);
template __global__ void sums_of_tagged<32>(const float *, float *, int);

// pipelinify: launch product_nt<float, 32, 32, 8>
//   sizes    k=0,8,16,24,40,56
//   target   k=4096
//   grid     2, 2
//   block    64
//   a:       in  [64 * k]
//   b:       in  [64 * k]
//   c:       out [64 * 64]
//   lda:     k
//   ldb:     k
//   ldc:     64
//   k:       k
// pipelinify: launch spmm_rows<32>
//   sizes    m=9 n=50
//   sizes    m=5 n=70
//   grid     m, (n + 63) / 64
//   block    64
//   first:   in  [m + 1] below(400)
//   col:     in  [400] below(20)
//   val:     in  [400]
//   B:       in  [20 * n]
//   C:       out [m * n]
//   columns: n
// pipelinify: launch sums_of_packed<32>
//   sizes    tiles=0,1,2,3,4,5,7
//   block    32
//   x:       in  [tiles * 32]
//   sums:    out [32]
//   tiles:   tiles
// pipelinify: launch sums_of_tagged<32>
//   sizes    tiles=0,1,2,3,4,5,7
//   block    32
//   x:       in  [tiles * 32]
//   sums:    out [32]
//   tiles:   tiles
