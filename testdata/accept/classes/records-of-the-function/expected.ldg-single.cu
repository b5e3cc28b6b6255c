// Tiles that are members of records which the kernel itself declares: one with a
// name, of vectors that hang on the template, and one without.

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
    __shared__ Tiles tiles;

    a += blockIdx.y * BM * lda;
    b += blockIdx.x * BN * ldb;
    const int ty = threadIdx.x / (BN / 4), tx = threadIdx.x % (BN / 4);
    T acc[4][4] = {};

    // pipelinify: ldg-single, 1 stage, source cf5b208f
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    long kk = 0;
    if (kk < k) {
        auto compute_tile = [&]() {
            for (int q = 0; q < BK / 4; ++q)
                for (int e = 0; e < 4; ++e)
                    for (int i = 0; i < 4; ++i)
                        for (int j = 0; j < 4; ++j)
                            acc[i][j] += tiles.a[ty * 4 + i][q].v[e] *
                                         tiles.b[tx * 4 + j][q].v[e];
        };
        for (int i = threadIdx.x; i < BM * (BK / 4); i += THREADS) {
            const int r = i / (BK / 4), q = i % (BK / 4);
            tiles.a[r][q] = *reinterpret_cast<const Vec *>(a + r * lda + kk + q * 4);
        }
        for (int i = threadIdx.x; i < BN * (BK / 4); i += THREADS) {
            const int r = i / (BK / 4), q = i % (BK / 4);
            tiles.b[r][q] = *reinterpret_cast<const Vec *>(b + r * ldb + kk + q * 4);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (kk += BK; kk < k; kk += BK) {
            Vec a_next[(BM * (BK / 4) + THREADS - 1) / THREADS];
            Vec b_next[(BN * (BK / 4) + THREADS - 1) / THREADS];
            #pragma unroll
            for (int slot = 0; slot < (BM * (BK / 4) + THREADS - 1) / THREADS; ++slot) {
                int i = threadIdx.x + slot * THREADS;
                if (i < BM * (BK / 4)) {
                    const int r = i / (BK / 4), q = i % (BK / 4);
                    a_next[slot] = *reinterpret_cast<const Vec *>(a + r * lda + kk + q * 4);
                }
            }
            #pragma unroll
            for (int slot = 0; slot < (BN * (BK / 4) + THREADS - 1) / THREADS; ++slot) {
                int i = threadIdx.x + slot * THREADS;
                if (i < BN * (BK / 4)) {
                    const int r = i / (BK / 4), q = i % (BK / 4);
                    b_next[slot] = *reinterpret_cast<const Vec *>(b + r * ldb + kk + q * 4);
                }
            }
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < (BM * (BK / 4) + THREADS - 1) / THREADS; ++slot) {
                int i = threadIdx.x + slot * THREADS;
                if (i < BM * (BK / 4)) {
                    const int r = i / (BK / 4), q = i % (BK / 4);
                    tiles.a[r][q] = a_next[slot];
                }
            }
            #pragma unroll
            for (int slot = 0; slot < (BN * (BK / 4) + THREADS - 1) / THREADS; ++slot) {
                int i = threadIdx.x + slot * THREADS;
                if (i < BN * (BK / 4)) {
                    const int r = i / (BK / 4), q = i % (BK / 4);
                    tiles.b[r][q] = b_next[slot];
                }
            }
            __syncthreads();
        }
        compute_tile();
    }
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
    } row;
    const int j = blockIdx.y * blockDim.x + threadIdx.x;
    const int end = first[blockIdx.x + 1];
    float sum = 0;
    // pipelinify: ldg-single, 1 stage, source 2621514f
    int p = first[blockIdx.x], p_tile = p;
    if (p < end) {
        auto compute_tile = [&]() {
            const int here = end - p_tile < ENTRIES ? end - p_tile : ENTRIES;
            if (j < columns)
                for (int k = 0; k < here; k++)
                    sum += row.val[k] * B[row.col[k] * columns + j];
        };
        {
            const int t = threadIdx.x;
            if (t < ENTRIES && p + t < end) {
                row.col[t] = col[p + t];
                row.val[t] = val[p + t];
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (p += ENTRIES; p < end; p += ENTRIES) {
            int col_next;
            float val_next;
            const int t = threadIdx.x;
            if (t < ENTRIES && p + t < end) {
                col_next = col[p + t];
                val_next = val[p + t];
            }
            compute_tile();
            p_tile += ENTRIES;
            __syncthreads();
            if (t < ENTRIES && p + t < end) {
                row.col[t] = col_next;
                row.val[t] = val_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
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
    // pipelinify: ldg-single, 1 stage, source e70ae344
    int t = 0;
    if (t < tiles) {
        row.v[threadIdx.x] = x[t * N + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t++; t < tiles; t++) {
            float v_next = x[t * N + threadIdx.x];
            for (int i = 0; i < N; i++)
                sum += row.v[i ^ threadIdx.x];
            __syncthreads();
            row.v[threadIdx.x] = v_next;
            __syncthreads();
        }
        for (int i = 0; i < N; i++)
            sum += row.v[i ^ threadIdx.x];
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
    // pipelinify: ldg-single, 1 stage, source e70ae344
    int t = 0;
    if (t < tiles) {
        row.v[threadIdx.x] = x[t * N + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t++; t < tiles; t++) {
            float v_next = x[t * N + threadIdx.x];
            for (int i = 0; i < N; i++)
                sum += row.v[i ^ threadIdx.x];
            __syncthreads();
            row.v[threadIdx.x] = v_next;
            __syncthreads();
        }
        for (int i = 0; i < N; i++)
            sum += row.v[i ^ threadIdx.x];
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
