// Rows against one vector; while (true) counts its tiles in size_t and leaves behind the last of them.
#include <cuda_runtime.h>
#include <cstddef>

// pipelinify: launch row_dots<float, 128>
//   sizes  tiles=1,2,3,4,5,11 rows=1,6
//   target tiles=512 rows=4096
//   grid   rows
//   block  128
//   a:     in  [rows * tiles * 128]
//   x:     in  [tiles * 128]
//   out:   out [rows * 128]
//   seen:  out [rows * 128]
//   tiles: tiles
template <typename T, int TILE>
__global__ void row_dots(const T *__restrict__ a, const T *__restrict__ x,
                         T *__restrict__ out, size_t *__restrict__ seen, size_t tiles)
{
    __shared__ T row_stage[2][TILE];
    __shared__ T vec_stage[2][TILE];
    const unsigned tid = threadIdx.x;
    const T *mine = a + blockIdx.x * tiles * TILE;
    T sum = T(0);
    size_t t = 0;

    // pipelinify: ldg, 2 stages, source 91ac0936
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    size_t t_tile = t;
    int stage = 0;
    row_stage[0][tid] = mine[t * TILE + tid];
    vec_stage[0][tid] = x[t * TILE + tid];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (++t != tiles) {
        T row_next = mine[t * TILE + tid];
        T vec_next = x[t * TILE + tid];
        for (int j = 0; j < TILE; ++j)
            sum += row_stage[stage][j] * vec_stage[stage][(j + tid) % TILE] * T(t_tile + 1);
        // one more, or was that all?
        ++t_tile;
        stage ^= 1;
        row_stage[stage][tid] = row_next;
        vec_stage[stage][tid] = vec_next;
        __syncthreads();
    }
    for (int j = 0; j < TILE; ++j)
        sum += row_stage[stage][j] * vec_stage[stage][(j + tid) % TILE] * T(t_tile + 1);
    // one more, or was that all?

    out[blockIdx.x * TILE + tid] = sum;
    seen[blockIdx.x * TILE + tid] = t;
}

template __global__ void row_dots<float, 128>(const float *, const float *, float *, size_t *, size_t);
