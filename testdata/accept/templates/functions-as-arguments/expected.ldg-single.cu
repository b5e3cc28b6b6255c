// Which functions load a tile and multiply it are arguments of the template that has the loop.
#include <cstdint>
#define WARP 32

struct block8 { float d; int8_t q[32]; };

typedef void (*load_rows_t)(const block8 *x, int *q, float *d, int row, int lane, int per_row);
typedef float (*dot_t)(const int *q, const float *d, const float *y, int row);

template <int rows, int nwarps>
static __device__ __forceinline__ void load_rows(const block8 *x, int *q, float *d, int row, int lane, int per_row)
{
#pragma unroll
    for (int i0 = 0; i0 < rows; i0 += nwarps)
        q[(i0 + row) * WARP + lane] = x[(i0 + row) * per_row].q[lane];
#pragma unroll
    for (int i0 = 0; i0 < rows; i0 += nwarps)
        d[i0 + row] = x[(i0 + row) * per_row].d;
}

template <int rows, int nwarps>
static __device__ __forceinline__ auto load_rows_fetch(const block8 *x, int row, int lane, int per_row)
{
    struct {
        int8_t q_next[(rows + nwarps - 1) / nwarps];
        float d_next[(rows + nwarps - 1) / nwarps];
    } next;
    #pragma unroll
    for (int i0 = 0; i0 < rows; i0 += nwarps)
        next.q_next[i0 / nwarps] = x[(i0 + row) * per_row].q[lane];
    #pragma unroll
    for (int i0 = 0; i0 < rows; i0 += nwarps)
        next.d_next[i0 / nwarps] = x[(i0 + row) * per_row].d;
    return next;
}

template <int rows, int nwarps, typename Registers>
static __device__ __forceinline__ void load_rows_store(int *q, float *d, int row, int lane, const Registers &next)
{
    #pragma unroll
    for (int i0 = 0; i0 < rows; i0 += nwarps)
        q[(i0 + row) * WARP + lane] = next.q_next[i0 / nwarps];
    #pragma unroll
    for (int i0 = 0; i0 < rows; i0 += nwarps)
        d[i0 + row] = next.d_next[i0 / nwarps];
}

static __device__ float dot_plain(const int *q, const float *d, const float *y, int row)
{
    float sum = 0;
    for (int i = 0; i < WARP; ++i)
        sum += q[row * WARP + i] * y[i];
    return sum * d[row];
}

static __device__ float dot_offset(const int *q, const float *d, const float *y, int row)
{
    float sum = 0;
    for (int i = 0; i < WARP; ++i)
        sum += (q[row * WARP + i] - 8) * y[i];
    return sum * d[row];
}

template <int rows, int nwarps, load_rows_t load, dot_t dot>
static __device__ __forceinline__ void multiply(const block8 *__restrict__ x, const float *__restrict__ y,
                                                float *__restrict__ out, int per_row)
{
    __shared__ int tile_q[rows * WARP];
    __shared__ float tile_d[rows], tile_y[WARP];
    float sum = 0;
    // pipelinify: ldg-single, 1 stage, source e850afcc
    static_assert(load == load_rows<32, 4>,
                  "pipelined for this load alone: run pipelinify again for another");
    static_assert(dot == dot_plain ||
                  dot == dot_offset,
                  "pipelined for this dot alone: run pipelinify again for another");
    int b = 0;
    if (b < per_row) {
        load(x + blockIdx.x * rows * per_row + b, tile_q, tile_d, threadIdx.y, threadIdx.x, per_row);
        tile_y[threadIdx.x] = y[b * WARP + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++b; b < per_row; ++b) {
            auto tile_q_next =
                load_rows_fetch<32, 4>(x + blockIdx.x * rows * per_row + b, threadIdx.y, threadIdx.x, per_row);
            float tile_y_next = y[b * WARP + threadIdx.x];
            sum += dot(tile_q, tile_d, tile_y, threadIdx.x);
            __syncthreads();
            load_rows_store<32, 4>(tile_q, tile_d, threadIdx.y, threadIdx.x, tile_q_next);
            tile_y[threadIdx.x] = tile_y_next;
            __syncthreads();
        }
        sum += dot(tile_q, tile_d, tile_y, threadIdx.x);
        __syncthreads();
    }
    if (threadIdx.y == 0)
        out[blockIdx.x * rows + threadIdx.x] = sum;
}

// pipelinify: launch multiply_plain
//   sizes    blocks=0,1,2,3,6
//   target   blocks=128
//   grid     1
//   block    32, 4
//   x:       in  [32 * blocks * 9] random
//   y:       in  [32 * blocks] random
//   out:     out [32]
//   blocks:  blocks
__global__ void __launch_bounds__(128)
multiply_plain(const block8 *__restrict__ x, const float *__restrict__ y, float *__restrict__ out, int blocks)
{
    multiply<32, 4, load_rows<32, 4>, dot_plain>(x, y, out, blocks);
}

// pipelinify: launch multiply_offset
//   sizes    blocks=0,1,2,3,6
//   target   blocks=128
//   grid     1
//   block    32, 4
//   x:       in  [32 * blocks * 9] random
//   y:       in  [32 * blocks] random
//   out:     out [32]
//   blocks:  blocks
__global__ void __launch_bounds__(128)
multiply_offset(const block8 *__restrict__ x, const float *__restrict__ y, float *__restrict__ out, int blocks)
{
    multiply<32, 4, load_rows<32, 4>, dot_offset>(x, y, out, blocks);
}
