// Rows against one vector; while (true) counts its tiles in size_t and leaves behind the last of them.
#include <cuda_runtime.h>
#include <cstddef>
#include <cuda_pipeline.h>
#include <cuda/barrier>

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
    __shared__ __align__(16) T row_stage[2][TILE];
    __shared__ __align__(16) T vec_stage[2][TILE];
    const unsigned tid = threadIdx.x;
    const T *mine = a + blockIdx.x * tiles * TILE;
    T sum = T(0);
    size_t t = 0;

    // pipelinify: bulk, 2 stages, source 91ac0936
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    // Whether a tile's rows can be copied whole: all is aligned.
    const bool whole = sizeof(T) == 4 && __is_trivially_copyable(T) && TILE % 4 == 0 && (size_t)a % 16 == 0 &&
                       blockDim.x % 4 == 0 && (size_t)x % 16 == 0;
    // One for each stage: its copies have landed, and all threads are there.
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> landed[2];
    #pragma nv_diagnostic pop
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        for (int stage = 0; stage < 2; ++stage)
            init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
    __syncthreads();
    size_t t_load = t;
    bool more = true;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (more) {
            if (whole) {
                if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
                    cuda::device::experimental::fence_proxy_async_shared_cta();
                    cuda::device::barrier_expect_tx(landed[load_stage], blockDim.x * sizeof(T));
                    cuda::device::memcpy_async_tx(&row_stage[load_stage][tid], &mine[t_load * TILE + tid],
                                                  cuda::aligned_size_t<16>(blockDim.x * sizeof(T)), landed[load_stage]);
                }
            } else {
                __pipeline_memcpy_async(&row_stage[load_stage][tid], &mine[t_load * TILE + tid], sizeof(T));
            }
            if (whole) {
                if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
                    cuda::device::experimental::fence_proxy_async_shared_cta();
                    cuda::device::barrier_expect_tx(landed[load_stage], blockDim.x * sizeof(T));
                    cuda::device::memcpy_async_tx(&vec_stage[load_stage][tid], &x[t_load * TILE + tid],
                                                  cuda::aligned_size_t<16>(blockDim.x * sizeof(T)), landed[load_stage]);
                }
            } else {
                __pipeline_memcpy_async(&vec_stage[load_stage][tid], &x[t_load * TILE + tid], sizeof(T));
            }
            __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
            more = ++t_load != tiles;
        }
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    while (true) {
        landed[stage].arrive_and_wait();
        copy_tile(stage ^ 1);
        for (int j = 0; j < TILE; ++j)
            sum += row_stage[stage][j] * vec_stage[stage][(j + tid) % TILE] * T(t + 1);
        // one more, or was that all?
        stage ^= 1;
        if (++t == tiles)
            break;
    }

    out[blockIdx.x * TILE + tid] = sum;
    seen[blockIdx.x * TILE + tid] = t;
}

template __global__ void row_dots<float, 128>(const float *, const float *, float *, size_t *, size_t);
