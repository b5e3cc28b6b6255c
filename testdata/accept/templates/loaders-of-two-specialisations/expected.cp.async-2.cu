// A loader's primary template copies vectors, its partial specialisation single elements: the
// instantiations in sight call both, and each gets its split form.
#include <stdint.h>
#include <cuda_pipeline.h>
template <typename T, int VEC> struct vec_of;
template <> struct vec_of<float, 1> { typedef float type; };
template <> struct vec_of<float, 2> { typedef float2 type; };
template <> struct vec_of<float, 4> { typedef float4 type; };
template <> struct vec_of<int8_t, 4> { typedef int32_t type; };
template <> struct vec_of<int8_t, 16> { typedef int4 type; };

template <typename T, int ROWS, int COLS, int THREADS, int VEC> struct GmemTile {
    typedef typename vec_of<T, VEC>::type vec_t;
    static constexpr int PER_ROW = COLS / VEC;
    static constexpr int TOTAL = ROWS * PER_ROW;
    static __device__ __forceinline__ void load(T (*__restrict__ dst)[COLS], const T *__restrict__ src, int ld)
    {
#pragma unroll
        for (int i = 0; i < TOTAL / THREADS; ++i) {
            const int e = i * THREADS + threadIdx.x;
            *reinterpret_cast<vec_t *>(&dst[e / PER_ROW][e % PER_ROW * VEC]) =
                *reinterpret_cast<const vec_t *>(&src[e / PER_ROW * ld + e % PER_ROW * VEC]);
        }
    }

    static __device__ __forceinline__ void load_async(T (*__restrict__ dst)[COLS], const T *__restrict__ src, int ld)
    {
        static_assert(__is_trivially_copyable(vec_t) &&
                      (sizeof(vec_t) == 4 || sizeof(vec_t) == 8 || sizeof(vec_t) == 16) &&
                      alignof(vec_t) == sizeof(vec_t), "asynchronous copies move 4, 8 or 16 aligned bytes");
        #pragma unroll
        for (int i = 0; i < TOTAL / THREADS; ++i) {
            const int e = i * THREADS + threadIdx.x;
            __pipeline_memcpy_async(reinterpret_cast<vec_t *>(&dst[e / PER_ROW][e % PER_ROW * VEC]),
                                    reinterpret_cast<const vec_t *>(&src[e / PER_ROW * ld + e % PER_ROW * VEC]),
                                    sizeof(vec_t));
        }
    }
};
template <typename T, int ROWS, int COLS, int THREADS> struct GmemTile<T, ROWS, COLS, THREADS, 1> {
    static __device__ __forceinline__ void load(T (*__restrict__ dst)[COLS], const T *__restrict__ src, int ld)
    {
        for (int e = threadIdx.x; e < ROWS * COLS; e += THREADS)
            dst[e / COLS][e % COLS] = src[e / COLS * ld + e % COLS];
    }

    static __device__ __forceinline__ void load_async(T (*__restrict__ dst)[COLS], const T *__restrict__ src, int ld)
    {
        static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                      alignof(T) == sizeof(T),
                      "asynchronous copies move 4, 8 or 16 aligned bytes");
        for (int e = threadIdx.x; e < ROWS * COLS; e += THREADS)
            __pipeline_memcpy_async(&dst[e / COLS][e % COLS], &src[e / COLS * ld + e % COLS], sizeof(T));
    }
};

// pipelinify: launch score_rows<float, float, 32, 4>
//   sizes    Q=16,32 K=0,32,64,96,160
//   grid     Q / 16
//   block    128
//   keys:    in [Q * K]
//   query:   in [K]
//   out:     out [Q]
//   dim:     K
// pipelinify: launch score_rows<int8_t, int, 64, 4>
//   sizes    Q=16,32 K=0,64,128,192
//   grid     Q / 16
//   block    128
//   keys:    in [Q * K]
//   query:   in [K]
//   out:     out [Q]
//   dim:     K
// pipelinify: launch score_rows<float, double, 32, 1>
//   sizes    Q=16,32 K=0,32,64,96,160
//   grid     Q / 16
//   block    128
//   keys:    in [Q * K]
//   query:   in [K]
//   out:     out [Q]
//   dim:     K
template <typename T, typename Acc, int TILE_K, int VEC>
__global__ void __launch_bounds__(128)
score_rows(const T *__restrict__ keys, const T *__restrict__ query, Acc *__restrict__ out, int dim)
{
    constexpr int THREADS = 128, ROWS = 16;
    typedef GmemTile<T, ROWS, TILE_K, THREADS, VEC> key_tile;
    __shared__ __align__(16) T sk_stage[2][ROWS][TILE_K];
    __shared__ __align__(16) T sq_stage[2][TILE_K];
    const T *base = keys + (size_t)blockIdx.x * ROWS * dim;
    Acc acc = 0;
    // pipelinify: cp.async, 2 stages, source 86bfe784
    static_assert(__is_same(T, float) ||
                  __is_same(T, signed char),
                  "pipelined for this T alone: run pipelinify again for another");
    static_assert(__is_same(Acc, float) ||
                  __is_same(Acc, int) ||
                  __is_same(Acc, double),
                  "pipelined for this Acc alone: run pipelinify again for another");
    static_assert((long long)TILE_K == 32 ||
                  (long long)TILE_K == 64,
                  "pipelined for this TILE_K alone: run pipelinify again for another");
    static_assert((long long)VEC == 4 ||
                  (long long)VEC == 1,
                  "pipelined for this VEC alone: run pipelinify again for another");
    int d = 0, stage = 0;
    if (d < dim) {
        key_tile::load_async(sk_stage[0], base, dim);
        if (threadIdx.x < TILE_K)
            sq_stage[0][threadIdx.x] = query[d + threadIdx.x];
        d += TILE_K, base += TILE_K;
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
        for (; d < dim; d += TILE_K, base += TILE_K) {
            T sq_next;
            key_tile::load_async(sk_stage[stage ^ 1], base, dim);
            if (threadIdx.x < TILE_K)
                sq_next = query[d + threadIdx.x];
            __pipeline_commit();
            if (threadIdx.x < ROWS)
                for (int j = 0; j < TILE_K; ++j)
                    acc += static_cast<Acc>(sk_stage[stage][threadIdx.x][j]) * static_cast<Acc>(sq_stage[stage][j]);
            stage ^= 1;
            if (threadIdx.x < TILE_K)
                sq_stage[stage][threadIdx.x] = sq_next;
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        if (threadIdx.x < ROWS)
            for (int j = 0; j < TILE_K; ++j)
                acc += static_cast<Acc>(sk_stage[stage][threadIdx.x][j]) * static_cast<Acc>(sq_stage[stage][j]);
    }
    if (threadIdx.x < ROWS)
        out[blockIdx.x * ROWS + threadIdx.x] = acc;
}
