// A name for a place in a tile, from ahead of the loop, is found by what is changed behind it: by a cell of an array, by what a pointer leads to, in a helper.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

__device__ void reverse_lanes(int *lane) { lane[0] = 63 - lane[0]; }

// pipelinify: launch mirrored
//   sizes    n=0,1,2,3,9
//   target   n=4096
//   grid     1
//   block    64
//   rows:    in  [n * 64] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64)
mirrored(const float *__restrict__ rows, float *__restrict__ out, int n)
{
    __shared__ float row[64];
    int lane[2] = {(int)threadIdx.x, 3};
    float &mine = row[lane[0]];
    lane[0] = 63 - lane[0];
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        mine = rows[i * 64 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ lane[0]);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch mirrored_by_helper
//   sizes    n=0,1,2,3,9
//   target   n=4096
//   grid     1
//   block    64
//   rows:    in  [n * 64] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64)
mirrored_by_helper(const float *__restrict__ rows, float *__restrict__ out, int n)
{
    __shared__ float row[64];
    int lane[2] = {(int)threadIdx.x, 3};
    float *mine = &row[lane[0]];
    reverse_lanes(lane);
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        *mine = rows[i * 64 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ lane[0]);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch followed
//   sizes    n=0,1,2,3,9
//   target   n=4096
//   grid     1
//   block    64
//   rows:    in  [n * 64] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64)
followed(const float *__restrict__ rows, float *__restrict__ out, int n)
{
    __shared__ float row[64];
    int lane = threadIdx.x;
    const int *at = &lane;
    float &mine = row[*at];
    lane = 63 - lane;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        mine = rows[i * 64 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ lane);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// What was set before, and stays, is the same wherever the name is made again.
// pipelinify: launch settled
//   sizes    n=0,1,2,3,9
//   target   n=4096
//   grid     1
//   block    64
//   rows:    in  [n * 64] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64)
settled(const float *__restrict__ rows, float *__restrict__ out, int n)
{
    constexpr int stages = 3;
    __shared__ float row_stage[stages][64];
    int lane[2];
    lane[0] = threadIdx.x ^ 5;
    lane[1] = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source e8f754a4
    int i_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            auto &row = row_stage[load_stage];
            float &mine = row[lane[0]];
            __pipeline_memcpy_async(&mine, &rows[i_load * 64 + lane[1]], sizeof(float));
            ++i_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; ++i) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        auto &row = row_stage[stage];
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ lane[0]);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = sum;
}
