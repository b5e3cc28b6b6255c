// A matrix product over a prime field. The elements' operators are friends and members of the
// class; what they are called on hangs on the tile's size, so that none is settled in the template.
#include <cuda_runtime.h>
#include <stdint.h>
#include <cuda_pipeline.h>

class field_t {
    uint32_t value;

  public:
    static constexpr uint32_t MOD = 0x78000001u;
    field_t() = default;
    __device__ __forceinline__ explicit field_t(uint32_t v) : value(v) {}
    __device__ __forceinline__ field_t &operator+=(const field_t &b)
    {
        value += b.value;
        if (value >= MOD)
            value -= MOD;
        return *this;
    }
    __device__ __forceinline__ field_t &operator*=(const field_t &b)
    {
        value = (uint64_t)value * b.value % MOD;
        return *this;
    }
    __device__ __forceinline__ field_t operator-() const { return field_t(value ? MOD - value : 0); }
    friend __device__ __forceinline__ field_t operator*(field_t a, const field_t &b) { return a *= b; }
};

// pipelinify: launch field_matmul<16>
//   sizes    rows=16,19 cols=16 inner=0,1,16,17,48,50,96
//   target   rows=1024 cols=1024 inner=1024
//   grid     (cols + 15) / 16, (rows + 15) / 16
//   block    16, 16
//   out:     out [rows * cols]
//   lhs:     in  [rows * inner + 1] below(2013265920)
//   rhs:     in  [inner * cols + 1] below(2013265920)
//   rows:    rows
//   inner:   inner
//   cols:    cols
template <int TILE>
__launch_bounds__(TILE * TILE) __global__
    void field_matmul(field_t *out, const field_t *lhs, const field_t *rhs, uint32_t rows,
                      uint32_t inner, uint32_t cols)
{
    constexpr int stages = 3;
    __shared__ field_t left_stage[stages][TILE][TILE], right_stage[stages][TILE][TILE];
    const uint32_t r = blockIdx.y * TILE + threadIdx.y, c = blockIdx.x * TILE + threadIdx.x;
    field_t acc(0), odd(0);

    // pipelinify: cp.async, 3 stages, source 148ededf
    uint32_t k_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < inner) {
            if (r < rows && k_load + threadIdx.x < inner) {
                __pipeline_memcpy_async(&left_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &lhs[r * inner + k_load + threadIdx.x], sizeof(field_t));
            } else {
                left_stage[load_stage][threadIdx.y][threadIdx.x] = field_t(0);
            }
            if (c < cols && k_load + threadIdx.y < inner)
                __pipeline_memcpy_async(&right_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &rhs[(k_load + threadIdx.y) * cols + c], sizeof(field_t));
            else
                right_stage[load_stage][threadIdx.y][threadIdx.x] = field_t(0);
            k_load += TILE;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (uint32_t k = 0; k < inner; k += TILE) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
#pragma unroll
        for (uint32_t i = 0; i < TILE; i += 2) {
            acc += left_stage[stage][threadIdx.y][i] * right_stage[stage][i][threadIdx.x];
            odd += -left_stage[stage][threadIdx.y][i + 1] * right_stage[stage][i + 1][threadIdx.x];
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    acc += -odd;
    if (r < rows && c < cols)
        out[r * cols + c] = acc;
}

template __global__ void field_matmul<16>(field_t *, const field_t *, const field_t *, uint32_t,
                                          uint32_t, uint32_t);
