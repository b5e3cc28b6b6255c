// Distances in the plane to a list of points. Both tiles are zeroed before the
// loop, cell by cell as the loop fills them: nothing reads a zero.
#include <cuda_pipeline.h>

#define PTS 64
#define THREADS 32
// pipelinify: launch nearest_point
//   sizes n=0,1,63,64,65,200,400
//   target n=131072
//   grid 2
//   block 32
//   xy: in [2 * n]
//   w: in [n + 32]
//   at: in [128]
//   out: out [64]
//   n: n
// pipelinify: launch nearest_point
//   sizes n=0,1,100
//   grid 2
//   block 32
//   xy: in [2 * n]
//   w: in [n + 32]
//   at: in [128] range(0, 2e15)
//   out: out [64]
//   n: n
__global__ void __launch_bounds__(THREADS) nearest_point(const float *__restrict__ xy,
                                                         const float *__restrict__ w,
                                                         const float *__restrict__ at,
                                                         float *__restrict__ out, int n)
{
    __shared__ __align__(16) float p_stage[2][2 * PTS];
    __shared__ float first_stage[2][THREADS];
    const int tid = threadIdx.x;
    const float x = at[blockIdx.x * 64 + tid], y = at[blockIdx.x * 64 + 32 + tid];

    for (int i = tid; i < 2 * PTS; i += THREADS)
        p_stage[1][i] = 0.0f;
    first_stage[1][tid] = 0.0f;
    __syncthreads();

    float best = 1e30f;
    // pipelinify: cp.async, 2 stages, source 7c79ae77
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == THREADS && (2 * PTS) % 4 == 0 && (size_t)xy % 16 == 0 &&
                        PTS % 4 == 0;
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            if (joined) {
                for (int c = 4 * tid; c < 2 * PTS; c += 4 * THREADS) {
                    if (2 * k_load + c + 3 < 2 * n) {
                        __pipeline_memcpy_async(&p_stage[load_stage][c], &xy[2 * k_load + c], 16);
                    } else {
                        for (int each = 0; each < 4; ++each) {
                            if (2 * k_load + c + each < 2 * n)
                                (&p_stage[load_stage][c])[each] = (&xy[2 * k_load + c])[each];
                            else
                                (&p_stage[load_stage][c])[each] = 1e15f;
                        }
                    }
                }
            } else {
                for (int c = tid; c < 2 * PTS; c += THREADS) {
                    if (2 * k_load + c < 2 * n) {
                        __pipeline_memcpy_async(&p_stage[load_stage][c], &xy[2 * k_load + c],
                                                sizeof(float));
                    } else {
                        p_stage[load_stage][c] = 1e15f;
                    }
                }
            }
            if (k_load + tid < n)
                __pipeline_memcpy_async(&first_stage[load_stage][tid], &w[k_load + tid],
                                        sizeof(float));
            else
                first_stage[load_stage][tid] = 1.0f;
            k_load += PTS;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k = 0; k < n; k += PTS) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < PTS; ++i) {
            const float dx = p_stage[stage][2 * i] - x, dy = p_stage[stage][2 * i + 1] - y;
            best = fminf(best, (dx * dx + dy * dy) * first_stage[stage][i % THREADS]);
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * THREADS + tid] = best;
}
