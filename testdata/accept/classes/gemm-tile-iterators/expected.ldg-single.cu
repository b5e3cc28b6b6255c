// A main loop of tile iterators: they load, store and step on, and which cells a thread stores to
// stays what it was when they were made.
template <int Rows, int Cols, int Threads>
struct tile_iterator {
    static constexpr int kPerThread = Rows * Cols / Threads;
    using fragment = float[kPerThread];

    const float *pointer;
    int stride;
    int step;
    int tid;

    __device__ __forceinline__ tile_iterator(const float *p, int ld, int advance, int t)
        : pointer(p), stride(ld), step(advance), tid(t)
    {
    }

    __device__ __forceinline__ void load(fragment &frag) const
    {
#pragma unroll
        for (int i = 0; i < kPerThread; ++i) {
            int e = i * Threads + tid;
            frag[i] = pointer[(e / Cols) * stride + e % Cols];
        }
    }

    __device__ __forceinline__ void store(const fragment &frag, float (&tile)[Rows][Cols]) const
    {
#pragma unroll
        for (int i = 0; i < kPerThread; ++i) {
            int e = i * Threads + tid;
            tile[e / Cols][e % Cols] = frag[i];
        }
    }

    __device__ __forceinline__ tile_iterator &operator++()
    {
        pointer += step;
        return *this;
    }
};

// pipelinify: launch iterator_gemm
//   sizes    M=32,64 N=32 K=0,16,32,48,80
//   target   M=4096 N=4096 K=4096
//   grid     N / 32, M / 32
//   block    256
//   A:       in    [M * K]  random
//   B:       in    [K * N]  random
//   C:       out   [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void iterator_gemm(const float *__restrict__ A, const float *__restrict__ B,
                              float *__restrict__ C, int M, int N, int K)
{
    constexpr int BM = 32, BN = 32, BK = 16, NT = 256;
    using iterator_a = tile_iterator<BM, BK, NT>;
    using iterator_b = tile_iterator<BK, BN, NT>;

    __shared__ float smem_a[BM][BK];
    __shared__ float smem_b[BK][BN];

    iterator_a it_a(A + blockIdx.y * BM * K, K, BK, threadIdx.x);
    iterator_b it_b(B + blockIdx.x * BN, N, BK * N, threadIdx.x);

    const int col = threadIdx.x % 32, row = threadIdx.x / 32;
    float acc[4] = { 0, 0, 0, 0 };

    // pipelinify: ldg-single, 1 stage, source a504549d
    int k_iter = K / BK;
    if (k_iter > 0) {
        auto compute_tile = [&]() {
#pragma unroll
            for (int k = 0; k < BK; ++k)
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    acc[i] += smem_a[row + 8 * i][k] * smem_b[k][col];
        };
        {
            iterator_a::fragment frag_a;
            iterator_b::fragment frag_b;

            it_a.load(frag_a);
            it_b.load(frag_b);
            it_a.store(frag_a, smem_a);
            it_b.store(frag_b, smem_b);
            ++it_a;
            ++it_b;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (--k_iter; k_iter > 0; --k_iter) {
            iterator_a::fragment frag_a;
            iterator_b::fragment frag_b;

            it_a.load(frag_a);
            it_b.load(frag_b);
            compute_tile();
            __syncthreads();
            it_a.store(frag_a, smem_a);
            it_b.store(frag_b, smem_b);
            ++it_a;
            ++it_b;
            __syncthreads();
        }
        compute_tile();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        C[(blockIdx.y * BM + row + 8 * i) * N + blockIdx.x * BN + col] = acc[i];
}

// One that fills the two halves of its tile by turns, so that compute finds this part and the last.
struct half_filler {
    const float *pointer;
    int lane, half;

    __device__ half_filler(const float *p, int l) : pointer(p + l), lane(l), half(0) { }
    __device__ void store(float (&tile)[128]) const { tile[half * 64 + lane] = *pointer; }

    __device__ auto store_fetch() const {
        float tile_next = *pointer;
        return tile_next;
    }

    __device__ void store_store(float (&tile)[128], float tile_next) const {
        tile[half * 64 + lane] = tile_next;
    }
    __device__ void advance()
    {
        pointer += 64;
        half ^= 1;
    }
};

// pipelinify: launch moving_products
//   sizes    T=0,1,2,3,4,7
//   target   T=65536
//   grid     2
//   block    64
//   x:       in  [2 * T * 64] random
//   y:       out [128]
//   tiles:   T
__global__ void moving_products(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[128];
    half_filler filler(x + blockIdx.x * tiles * 64, threadIdx.x);
    float sum = 0.f;
    tile[64 + threadIdx.x] = 0.f;
    // pipelinify: ldg-single, 1 stage, source f9c8f9ed
    int t = 0;
    if (t < tiles) {
        filler.store(tile);
        filler.advance();
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            auto tile_next = filler.store_fetch();
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * tile[127 - i] * (i + threadIdx.x);
            __syncthreads();
            filler.store_store(tile, tile_next);
            filler.advance();
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * tile[127 - i] * (i + threadIdx.x);
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}
