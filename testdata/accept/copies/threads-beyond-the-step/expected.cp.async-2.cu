// A block may have more threads than a copy loop's step. Those repeat what the last of the
// others copies only where each iteration is told by its counter alone.

#include <cuda_pipeline.h>

// pipelinify: launch gains_of_threads
//   sizes    n=0,1,2,3,4,5
//   grid     1
//   block    192
//   samples: in  [n * 128]
//   gains:   in  [192]
//   out:     out [192]
//   n:       n
__global__ void gains_of_threads(const float *__restrict__ samples, const float *__restrict__ gains,
                                 float *__restrict__ out, int n)
{
    __shared__ float window[128];
    const float gain = gains[threadIdx.x];
    float sum = 0.0f;
    for (int frame = 0; frame < n; ++frame) {
        for (int i = threadIdx.x; i < 128; i += 128)
            window[i] = samples[frame * 128 + i] * gain;
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += window[i] * window[(i + threadIdx.x) % 128];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch table_beside
//   sizes    n=0,1,2,3,4,5
//   grid     1
//   block    96
//   keys:    in  [n * 64] below(64)
//   out:     out [96]
//   n:       n
__global__ void table_beside(const int *__restrict__ keys, int *__restrict__ out, int n)
{
    __shared__ int bucket_stage[2][64], owner_stage[2][64];
    int found = 0;
    // pipelinify: cp.async, 2 stages, source e52e0197
    int block_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (block_load < n) {
            for (int i = threadIdx.x; i < 64; i += 64) {
                __pipeline_memcpy_async(&bucket_stage[load_stage][i], &keys[block_load * 64 + i],
                                        sizeof(int));
                __pipeline_memcpy_async(&owner_stage[load_stage][threadIdx.x],
                                        &keys[block_load * 64 + (i ^ 1)], sizeof(int));
            }
            ++block_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int block = 0; block < n; ++block) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 64; ++i)
            found += bucket_stage[stage][i] == static_cast<int>(threadIdx.x) ?
                     owner_stage[stage][i] : 1;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = found;
}

// pipelinify: launch rows_of_warps
//   sizes    n=0,1,2,3,4,5
//   grid     1
//   block    32, 6
//   a:       in  [n * 128]
//   out:     out [192]
//   n:       n
__global__ void rows_of_warps(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float rows[128];
    const int rank = threadIdx.y * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < n; ++t) {
        for (int i = rank; i < 128; i += 128)
            rows[i] = threadIdx.y ? a[t * 128 + i] : 0.5f * a[t * 128 + i];
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += rows[i] * (i + rank);
        __syncthreads();
    }
    out[rank] = sum;
}

// pipelinify: launch told_by_the_counter
//   sizes    n=0,1,2,3,4,5
//   grid     1
//   block    192
//   a:       in  [n * 256]
//   out:     out [192]
//   n:       n
__global__ void told_by_the_counter(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[256];
    float sum = 0.0f;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < 256; i += 128) {
            const int row = i / 16, column = i % 16;
            tile[column * 16 + row] = a[t * 256 + i] + column;
        }
        __syncthreads();
        for (int i = 0; i < 256; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
