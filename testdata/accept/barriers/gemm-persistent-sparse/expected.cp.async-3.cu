// Persistent blocks take output tiles from a list; along K a table of bits passes blocks over, and a length ends the walk.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TS 16

// pipelinify: launch persistent_sparse
//   sizes  mt=1,3 nt=2 kt=0,1,2,5,7 blocks=1,2,5
//   target mt=128 nt=128 kt=128 blocks=264
//   grid   blocks
//   block  16, 16
//   a:      in  [mt * nt * 0 + mt * 16 * kt * 16 + 1]
//   b:      in  [kt * 16 * nt * 16 + 1]
//   bits:   in  [mt * nt] below(128)
//   length: in  [mt * nt] below(9)
//   c:      out [mt * 16 * nt * 16]
//   mt:     mt
//   nt:     nt
//   kt:     kt
__global__ void __launch_bounds__(TS * TS)
persistent_sparse(const float *__restrict__ a, const float *__restrict__ b,
                  const unsigned *__restrict__ bits, const unsigned *__restrict__ length,
                  float *__restrict__ c, unsigned mt, unsigned nt, unsigned kt)
{
    constexpr int stages = 3;
    __shared__ float sa_stage[stages][TS][TS];
    __shared__ float sb_stage[stages][TS][TS + 1];
    const unsigned x = threadIdx.x, y = threadIdx.y;

    for (unsigned tile = blockIdx.x; tile < mt * nt; tile += gridDim.x) {
        const unsigned row = tile / nt * TS + y, col = tile % nt * TS + x;
        const unsigned wanted = bits[tile], end = length[tile];
        float sum = 0.0f;
        // pipelinify: cp.async, 3 stages, source 78674f28
        unsigned t = 0;
        unsigned int t_load = t;
        bool more = true;
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage) {
            auto &t = t_load;
            if (more) {
                more = false;
                for (; t < kt; t++) {
                    if (t == end)
                        break;
                    if ((wanted >> t & 1u) == 0)
                        continue;
                    more = true;
                    break;
                }
            }
            if (more) {
                __pipeline_memcpy_async(&sa_stage[load_stage][y][x], &a[row * kt * TS + t * TS + x], sizeof(float));
                __pipeline_memcpy_async(&sb_stage[load_stage][y][x], &b[(t * TS + y) * nt * TS + col], sizeof(float));
                t++;
            }
            __pipeline_commit();
        }
        int stage = 0;
        // Main loop: stages - 1 tiles are in flight while computing on one.
        for (; t < kt; t++) {
            if (t == end)
                break;
            if ((wanted >> t & 1u) == 0)
                continue;
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            {
                auto &t = t_load;
                if (more) {
                    more = false;
                    for (; t < kt; t++) {
                        if (t == end)
                            break;
                        if ((wanted >> t & 1u) == 0)
                            continue;
                        more = true;
                        break;
                    }
                }
                if (more) {
                    int load_stage = stage == 0 ? stages - 1 : stage - 1;
                    __pipeline_memcpy_async(&sa_stage[load_stage][y][x], &a[row * kt * TS + t * TS + x], sizeof(float));
                    __pipeline_memcpy_async(&sb_stage[load_stage][y][x], &b[(t * TS + y) * nt * TS + col], sizeof(float));
                    t++;
                }
            }
            __pipeline_commit();
            for (unsigned k = 0; k < TS; k++)
                sum += sa_stage[stage][y][k] * sb_stage[stage][k][x];
            stage = stage == stages - 1 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
        c[row * nt * TS + col] = sum;
    }
}
