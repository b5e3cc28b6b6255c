// A matrix product over a prime field. The elements' operators are friends and members of the
// class; what they are called on hangs on the tile's size, so that none is settled in the template.
#include <cuda_runtime.h>
#include <stdint.h>

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
    __shared__ field_t left_stage[2][TILE][TILE], right_stage[2][TILE][TILE];
    const uint32_t r = blockIdx.y * TILE + threadIdx.y, c = blockIdx.x * TILE + threadIdx.x;
    field_t acc(0), odd(0);

    // pipelinify: ldg, 2 stages, source 148ededf
    uint32_t k = 0;
    if (k < inner) {
        int stage = 0;
        auto compute_tile = [&]() {
#pragma unroll
            for (uint32_t i = 0; i < TILE; i += 2) {
                acc += left_stage[stage][threadIdx.y][i] * right_stage[stage][i][threadIdx.x];
                odd += -left_stage[stage][threadIdx.y][i + 1] * right_stage[stage][i + 1][threadIdx.x];
            }
        };
        left_stage[0][threadIdx.y][threadIdx.x] =
            r < rows && k + threadIdx.x < inner ? lhs[r * inner + k + threadIdx.x] : field_t(0);
        if (c < cols && k + threadIdx.y < inner)
            right_stage[0][threadIdx.y][threadIdx.x] = rhs[(k + threadIdx.y) * cols + c];
        else
            right_stage[0][threadIdx.y][threadIdx.x] = field_t(0);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += TILE; k < inner; k += TILE) {
            field_t right_next;
            field_t left_next = r < rows && k + threadIdx.x < inner ? lhs[r * inner + k + threadIdx.x] : field_t(0);
            if (c < cols && k + threadIdx.y < inner)
                right_next = rhs[(k + threadIdx.y) * cols + c];
            else
                right_next = field_t(0);
            compute_tile();
            stage ^= 1;
            left_stage[stage][threadIdx.y][threadIdx.x] = left_next;
            right_stage[stage][threadIdx.y][threadIdx.x] = right_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    acc += -odd;
    if (r < rows && c < cols)
        out[r * cols + c] = acc;
}

template __global__ void field_matmul<16>(field_t *, const field_t *, const field_t *, uint32_t,
                                          uint32_t, uint32_t);
