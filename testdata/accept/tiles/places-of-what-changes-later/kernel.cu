// A name for a place in a tile, from ahead of the loop, is found by what is changed behind it: by a cell of an array, by what a pointer leads to, in a helper.
#include <cuda_runtime.h>

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
    __shared__ float row[64];
    int lane[2];
    lane[0] = threadIdx.x ^ 5;
    lane[1] = threadIdx.x;
    float &mine = row[lane[0]];
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        mine = rows[i * 64 + lane[1]];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j] * (j ^ lane[0]);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
