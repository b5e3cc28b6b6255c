// Rows against one vector; while (true) counts its tiles in size_t and leaves behind the last of them.
#include <cuda_runtime.h>
#include <cstddef>
#include <cuda_pipeline.h>

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

    // pipelinify: cp.async, 2 stages, source 91ac0936
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    size_t t_load = t;
    bool more = true;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (more) {
            __pipeline_memcpy_async(&row_stage[load_stage][tid], &mine[t_load * TILE + tid], sizeof(T));
            __pipeline_memcpy_async(&vec_stage[load_stage][tid], &x[t_load * TILE + tid], sizeof(T));
            more = ++t_load != tiles;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    while (true) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int j = 0; j < TILE; ++j)
            sum += row_stage[stage][j] * vec_stage[stage][(j + tid) % TILE] * T(t + 1);
        // one more, or was that all?
        stage ^= 1;
        if (++t == tiles)
            break;
    }
    __pipeline_wait_prior(0);

    out[blockIdx.x * TILE + tid] = sum;
    seen[blockIdx.x * TILE + tid] = t;
}

template __global__ void row_dots<float, 128>(const float *, const float *, float *, size_t *, size_t);
