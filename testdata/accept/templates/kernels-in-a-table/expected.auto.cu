// The kernel's instantiations are named in a table of the host's alone.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch rounds<2>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     1
//   block    64
//   x:       in  [n * 64]
//   y:       out [64]
//   n:       n
template <int ROUNDS>
__global__ void rounds(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 8;
    __shared__ float s_stage[stages][64];
    float sum = 0.f;
    // pipelinify: cp.async, 8 stages, source c5416761
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x],
                                    &x[t_load * 64 + threadIdx.x], sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int r = 0; r < ROUNDS; ++r)
            for (int k = 0; k < 64; ++k)
                sum += s_stage[stage][(k + r) & 63] * (k ^ threadIdx.x);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}

void pick(int which, const float *x, float *y, int n)
{
    using Kernel = void (*)(const float *, float *, int);
    const Kernel table[] = {rounds<1>, rounds<2>, rounds<3>};
    table[which]<<<1, 64>>>(x, y, n);
}
