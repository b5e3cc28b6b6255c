// Matched filter over a batch of signals: the tiles are filled by loops that are left by a break,
// skip what lies outside by a continue, or test at the end.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr int ROWS = 8, WIN = 40;

// pipelinify: launch matched
//   sizes    rows=8,11 len=0,1,39,40,41,80,120,160,215
//   let      pitch = len + 2
//   target   rows=4096 len=8192
//   requires rows > 0
//   grid     (rows + 7) / 8
//   block    64
//   x:       in  [rows * pitch]
//   w:       in  [rows * pitch]
//   bias:    in  [(len + 39) / 40 * 40]
//   rows:    rows
//   len:     len
//   pitch:   pitch
//   y:       out [rows * 8]
__global__ void __launch_bounds__(64)
matched(const float *__restrict__ x, const float *__restrict__ w, const float *__restrict__ bias,
        int rows, int len, int pitch, float *__restrict__ y)
{
    __shared__ float xs_stage[2][ROWS][WIN + 1], ws_stage[2][ROWS][WIN];
    __shared__ float bs_stage[2][WIN];
    const int t = threadIdx.x, r0 = blockIdx.x * ROWS;
    float sum = 0.f;

    // pipelinify: cp.async, 2 stages, source 4c197d41
    int p_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (p_load < len) {
            auto &p = p_load;
            for (int i = t;; i += 64) {
                if (i >= ROWS * WIN)
                    break;
                const int r = i / WIN, c = i % WIN;
                if (r0 + r >= rows || p + c >= len) {
                    xs_stage[load_stage][r][c] = 0.f;
                    continue;
                }
                __pipeline_memcpy_async(&xs_stage[load_stage][r][c], &x[(r0 + r) * pitch + p + c],
                                        sizeof(float));
            }
            // Rows that do not exist stay unset: their results are not written.
            for (int i = t, r = t / WIN, c = t % WIN; i < ROWS * WIN;
                 i += 64, c += 24, r += 1 + c / WIN, c %= WIN) {
                if (r0 + r >= rows)
                    continue;
                __pipeline_memcpy_async(&ws_stage[load_stage][r][c], &w[(r0 + r) * pitch + p + c],
                                        sizeof(float), (p + c < len) ? 0 : sizeof(float));
            }
            int i = t;
            do {
                if (i >= WIN)
                    break;
                __pipeline_memcpy_async(&bs_stage[load_stage][i], &bias[p + i], sizeof(float));
                i += 64;
            } while (i < WIN);
            p += WIN;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int p = 0; p < len; p += WIN) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int k = 0; k < WIN; ++k)
            sum += (xs_stage[stage][t / 8][k] - bs_stage[stage][k]) *
                   ws_stage[stage][t / 8][(k + t % 8) % WIN];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (r0 + t / 8 < rows)
        y[r0 * 8 + t] = sum;
}
