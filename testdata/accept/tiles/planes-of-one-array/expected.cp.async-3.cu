// Two matrices whose tiles are planes of one shared array.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch product<8>
//   sizes  n=0,8,9,16,24,40
//   target n=4096
//   grid   1
//   block  8, 8
//   a: in  [8 * n] range(-1, 1)
//   b: in  [8 * n] range(-1, 1)
//   o: out [64]
//   n: n
template <unsigned T>
__global__ void product(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ o, unsigned n)
{
    constexpr int stages = 3;
    __shared__ double planes_stage[stages][2][T][T];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    double sum = 0;
    // pipelinify: cp.async, 3 stages, source dde451bd
    unsigned k_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&planes_stage[load_stage][0][y][x], &a[y * n + k_load + x], sizeof(double),
                                    (k_load + x < n) ? 0 : sizeof(double));
            __pipeline_memcpy_async(&planes_stage[load_stage][1][y][x], &b[(k_load + y) * T + x], sizeof(double),
                                    (k_load + y < n) ? 0 : sizeof(double));
            k_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    int stage = 0;
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (unsigned k = 0; k < n; k += T) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (unsigned i = 0; i < T; ++i)
            sum += planes_stage[stage][0][y][i] * planes_stage[stage][1][i][x];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    o[y * T + x] = sum;
}

template __global__ void product<8u>(const double *, const double *, double *, unsigned);
