// Few threads copy a large tile: sixteen float4 each, more than registers hold besides the factors, which are
// bytes and scaled. So `auto` copies the large tile asynchronously and passes the factors through a register.
#include <cuda_runtime.h>

constexpr int ROWS = 64;
constexpr int COLS = 64;
constexpr int THREADS = 64;

// pipelinify: launch mix_rows
//   sizes   blocks=1,2 rows=0,64,128,192,320
//   target  blocks=1024 rows=4096
//   grid    blocks
//   block   64
//   V:      in  [rows * 64 / 4] random
//   factor: in  [blocks * rows] random
//   scale:  0.03125
//   out:    out [blocks * 64]
//   rows:   rows
//   work    flops 2 * blocks * rows * 64
__global__ void __launch_bounds__(THREADS)
mix_rows(const float4 *__restrict__ V, const signed char *__restrict__ factor, float scale, float *__restrict__ out,
         int rows)
{
    __shared__ float4 v_stage[2][ROWS][COLS / 4];
    __shared__ float f_stage[2][ROWS];
    const int t = threadIdx.x;
    float sum = 0.0f;

    // pipelinify: ldg, 2 stages, source 749228df
    int r0 = 0, stage = 0;
    if (r0 < rows) {
        auto compute_tile = [&]() {
            for (int r = 0; r < ROWS; ++r) {
                const float4 quad = v_stage[stage][r][t / 4];
                const float own = t % 4 == 0 ? quad.x : t % 4 == 1 ? quad.y : t % 4 == 2 ? quad.z : quad.w;
                sum += f_stage[stage][r] * own;
            }
        };
        #pragma unroll
        for (int i = 0; i < ROWS * COLS / 4 / THREADS; ++i) {
            const int q = t + i * THREADS;
            v_stage[0][q / (COLS / 4)][q % (COLS / 4)] = V[r0 * (COLS / 4) + q];
        }
        f_stage[0][t] = factor[blockIdx.x * rows + r0 + t] * scale;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (r0 += ROWS; r0 < rows; r0 += ROWS) {
            float4 v_next[ROWS * COLS / 4 / THREADS];
            #pragma unroll
            for (int i = 0; i < ROWS * COLS / 4 / THREADS; ++i) {
                const int q = t + i * THREADS;
                v_next[i] = V[r0 * (COLS / 4) + q];
            }
            signed char f_next = factor[blockIdx.x * rows + r0 + t];
            compute_tile();
            stage ^= 1;
            #pragma unroll
            for (int i = 0; i < ROWS * COLS / 4 / THREADS; ++i) {
                const int q = t + i * THREADS;
                v_stage[stage][q / (COLS / 4)][q % (COLS / 4)] = v_next[i];
            }
            f_stage[stage][t] = f_next * scale;
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * COLS + t] = sum;
}
