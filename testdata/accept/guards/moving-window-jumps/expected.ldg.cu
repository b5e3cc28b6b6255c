// Matched filter over a batch of signals: the tiles are filled by loops that are left by a break,
// skip what lies outside by a continue, or test at the end.
#include <cuda_runtime.h>

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

    // pipelinify: ldg, 2 stages, source 4c197d41
    int p = 0, stage = 0;
    if (p < len) {
        {
            for (int i = t;; i += 64) {
                if (i >= ROWS * WIN)
                    break;
                const int r = i / WIN, c = i % WIN;
                if (r0 + r >= rows || p + c >= len) {
                    xs_stage[0][r][c] = 0.f;
                    continue;
                }
                xs_stage[0][r][c] = x[(r0 + r) * pitch + p + c];
            }
            // Rows that do not exist stay unset: their results are not written.
            for (int i = t, r = t / WIN, c = t % WIN; i < ROWS * WIN;
                 i += 64, c += 24, r += 1 + c / WIN, c %= WIN) {
                if (r0 + r >= rows)
                    continue;
                ws_stage[0][r][c] = p + c < len ? w[(r0 + r) * pitch + p + c] : 0.f;
            }
            int i = t;
            do {
                if (i >= WIN)
                    break;
                bs_stage[0][i] = bias[p + i];
                i += 64;
            } while (i < WIN);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (p += WIN; p < len; p += WIN) {
            float xs_next[(ROWS * WIN + 64 - 1) / 64];
            float ws_next[(ROWS * WIN + 64 - 1) / 64];
            float bs_next[(WIN + 64 - 1) / 64];
            #pragma unroll
            for (int i = t, slot = 0; slot < (ROWS * WIN + 64 - 1) / 64; i += 64, ++slot) {
                if (i >= ROWS * WIN)
                    break;
                const int r = i / WIN, c = i % WIN;
                if (r0 + r >= rows || p + c >= len) {
                    continue;
                }
                xs_next[slot] = x[(r0 + r) * pitch + p + c];
            }
            // Rows that do not exist stay unset: their results are not written.
            #pragma unroll
            for (int i = t, r = t / WIN, c = t % WIN, slot = 0;
                 slot < (ROWS * WIN + 64 - 1) / 64 && i < ROWS * WIN;
                 i += 64, c += 24, r += 1 + c / WIN, c %= WIN, ++slot) {
                if (r0 + r >= rows)
                    continue;
                ws_next[slot] = p + c < len ? w[(r0 + r) * pitch + p + c] : 0.f;
            }
            int i = t;
            #pragma unroll
            for (int slot = 0; slot < (WIN + 64 - 1) / 64; ++slot) {
                if (i >= WIN)
                    break;
                bs_next[slot] = bias[p + i];
                i += 64;
                if (!(i < WIN)) {
                    break;
                }
            }

            for (int k = 0; k < WIN; ++k)
                sum += (xs_stage[stage][t / 8][k] - bs_stage[stage][k]) *
                       ws_stage[stage][t / 8][(k + t % 8) % WIN];
            stage ^= 1;
            {
                #pragma unroll
                for (int i = t, slot = 0; slot < (ROWS * WIN + 64 - 1) / 64; i += 64, ++slot) {
                    if (i >= ROWS * WIN)
                        break;
                    const int r = i / WIN, c = i % WIN;
                    if (r0 + r >= rows || p + c >= len) {
                        xs_stage[stage][r][c] = 0.f;
                        continue;
                    }
                    xs_stage[stage][r][c] = xs_next[slot];
                }
                #pragma unroll
                for (int i = t, r = t / WIN, c = t % WIN, slot = 0;
                     slot < (ROWS * WIN + 64 - 1) / 64 && i < ROWS * WIN;
                     i += 64, c += 24, r += 1 + c / WIN, c %= WIN, ++slot) {
                    if (r0 + r >= rows)
                        continue;
                    ws_stage[stage][r][c] = ws_next[slot];
                }
                int i = t;
                #pragma unroll
                for (int slot = 0; slot < (WIN + 64 - 1) / 64; ++slot) {
                    if (i >= WIN)
                        break;
                    bs_stage[stage][i] = bs_next[slot];
                    i += 64;
                    if (!(i < WIN)) {
                        break;
                    }
                }
            }
            __syncthreads();
        }
        for (int k = 0; k < WIN; ++k)
            sum += (xs_stage[stage][t / 8][k] - bs_stage[stage][k]) *
                   ws_stage[stage][t / 8][(k + t % 8) % WIN];
    }
    if (r0 + t / 8 < rows)
        y[r0 * 8 + t] = sum;
}
