// A loader's primary template copies vectors, its partial specialisation single elements: the
// instantiations in sight call both, and each gets its split form.
#include <stdint.h>
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
};
template <typename T, int ROWS, int COLS, int THREADS> struct GmemTile<T, ROWS, COLS, THREADS, 1> {
    static __device__ __forceinline__ void load(T (*__restrict__ dst)[COLS], const T *__restrict__ src, int ld)
    {
        for (int e = threadIdx.x; e < ROWS * COLS; e += THREADS)
            dst[e / COLS][e % COLS] = src[e / COLS * ld + e % COLS];
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
    __shared__ __align__(16) T sk[ROWS][TILE_K];
    __shared__ __align__(16) T sq[TILE_K];
    const T *base = keys + (size_t)blockIdx.x * ROWS * dim;
    Acc acc = 0;
    for (int d = 0; d < dim; d += TILE_K, base += TILE_K) {
        key_tile::load(sk, base, dim);
        if (threadIdx.x < TILE_K)
            sq[threadIdx.x] = query[d + threadIdx.x];
        __syncthreads();
        if (threadIdx.x < ROWS)
            for (int j = 0; j < TILE_K; ++j)
                acc += static_cast<Acc>(sk[threadIdx.x][j]) * static_cast<Acc>(sq[j]);
        __syncthreads();
    }
    if (threadIdx.x < ROWS)
        out[blockIdx.x * ROWS + threadIdx.x] = acc;
}
