// An iterator that a function is handed by value moves on with the loads, and compute asks
// its own one where it is; the caller's stays where it was.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr int T = 64;

struct RowWalk {
    const float *rows;
    int at;

    __device__ void load(float *row) const { row[threadIdx.x] = rows[at * T + threadIdx.x]; }

    __device__ void load_async(float *row) const {
        __pipeline_memcpy_async(&row[threadIdx.x], &rows[at * T + threadIdx.x], sizeof(float));
    }
    __device__ void next() { ++at; }
    // A pointer into the walk, which ends with the call.
    __device__ int behind() const
    {
        const int *place = &at;
        return *place + 1;
    }
};

__device__ float weighted(RowWalk walk, int n)
{
    __shared__ float row_stage[2][T];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 618030c0
    int r_load = 0, stage = 0;
    auto walk_load = walk;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r_load < n) {
            walk_load.load_async(row_stage[load_stage]);
            walk_load.next();
            ++r_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int r = 0; r < n; ++r) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < T; ++i)
            sum += row_stage[stage][i] * walk.at;
        walk.next();
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    return sum;
}

// pipelinify: launch sums
//   sizes  n=0,1,2,3,4,5,9
//   target n=2048
//   grid   1
//   block  64
//   x:     in  [n * 64 + 64]
//   y:     out [64]
//   n:     n
__global__ void sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    RowWalk walk = {x, 0};
    float sum = weighted(walk, n);
    y[threadIdx.x] = sum + walk.behind();
}
