// An iterator that a function is handed by value moves on with the loads, and compute asks
// its own one where it is; the caller's stays where it was.
#include <cuda_runtime.h>

constexpr int T = 64;

struct RowWalk {
    const float *rows;
    int at;

    __device__ void load(float *row) const { row[threadIdx.x] = rows[at * T + threadIdx.x]; }

    __device__ auto load_fetch() const {
        float row_next = rows[at * T + threadIdx.x];
        return row_next;
    }

    __device__ void load_store(float *row, float row_next) const {
        row[threadIdx.x] = row_next;
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
    // pipelinify: ldg, 2 stages, source 618030c0
    int r = 0, stage = 0;
    auto walk_tile = walk;
    if (r < n) {
        walk.load(row_stage[0]);
        walk.next();
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++r; r < n; ++r) {
            auto row_next = walk.load_fetch();
            for (int i = 0; i < T; ++i)
                sum += row_stage[stage][i] * walk_tile.at;
            walk_tile.next();
            stage ^= 1;
            walk.load_store(row_stage[stage], row_next);
            walk.next();
            __syncthreads();
        }
        for (int i = 0; i < T; ++i)
            sum += row_stage[stage][i] * walk_tile.at;
        __syncthreads();
    }
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
