// What the last tile left is used behind the loop: where there was none, the zeros
// from before it; then as room for a reduction.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch rows_and_last
//   sizes    n=0,1,2,3,4,5,8
//   target   n=4096
//   grid     2
//   block    32
//   x: in [n * 32 + 32]
//   y: out [64]
//   n: n
__global__ void rows_and_last(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float row_stage[2][32];
    const int t = threadIdx.x;
    row_stage[1][t] = 0.f;
    __syncthreads();
    float s = 0.f;
    int stage = 0;
    // pipelinify: cp.async, 2 stages, source c622f518
    int i_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            __pipeline_memcpy_async(&row_stage[load_stage][t], &x[i_load * 32 + t], sizeof(float));
            ++i_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int i = 0; i < n; ++i) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        s += row_stage[stage][31 - t];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    // Back to the stage of the last tile.
    stage = stage == 0 ? 1 : stage - 1;
    __syncthreads();
    y[blockIdx.x * 32 + t] = s + row_stage[stage][(t + 1) & 31];
}

// pipelinify: launch chosen_rows
//   sizes    n=0,1,2,3,4,5,8 stop=2,9
//   grid     2
//   block    32
//   flag: in [16] below(2)
//   x: in [n * 32 + 32]
//   y: out [64]
//   n: n
//   stop: stop
__global__ void chosen_rows(const int *__restrict__ flag, const float *__restrict__ x, float *__restrict__ y, int n, int stop)
{
    __shared__ float row_stage[2][33];
    const int t = threadIdx.x;
    float s = 0.f;
    int seen = 0;
    int stage = 0;
    // pipelinify: cp.async, 2 stages, source b4945233
    int i = 0, i_load = i;
    bool more = true;
    for (int load_stage = 0; load_stage < 1; ++load_stage) {
        auto &i = i_load;
        if (more) {
            more = false;
            for (; i < n; ++i) {
                if (flag[i])
                    continue;
                if (i >= stop)
                    break;
                more = true;
                break;
            }
        }
        if (more) {
            if (load_stage == 0)
                __syncthreads();
            __pipeline_memcpy_async(&row_stage[load_stage][t], &x[i * 32 + t], sizeof(float));
            ++i;
        }
        __pipeline_commit();
    }
    // Main loop: 1 tile is in flight while computing on one.
    for (; i < n; ++i) {
        if (flag[i])
            continue;
        if (i >= stop)
            break;
        __pipeline_wait_prior(0);
        __syncthreads();
        {
            auto &i = i_load;
            if (more) {
                more = false;
                for (; i < n; ++i) {
                    if (flag[i])
                        continue;
                    if (i >= stop)
                        break;
                    more = true;
                    break;
                }
            }
            if (more) {
                int load_stage = stage ^ 1;
                __pipeline_memcpy_async(&row_stage[load_stage][t], &x[i * 32 + t], sizeof(float));
                ++i;
            }
        }
        __pipeline_commit();
        s += row_stage[stage][31 - t];
        ++seen;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    // Back to the stage of the last tile.
    stage = stage == 0 ? 1 : stage - 1;
    if (seen)
        s += row_stage[stage][(t + 1) & 31];
    __syncthreads();
    row_stage[stage][t] = s;
    __syncthreads();
    for (int o = 16; o > 0; o >>= 1) {
        if (t < o)
            row_stage[stage][t] += row_stage[stage][t + o];
        __syncthreads();
    }
    y[blockIdx.x * 32 + t] = row_stage[stage][t];
}
