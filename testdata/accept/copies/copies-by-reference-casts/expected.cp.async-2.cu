// Vectors by a cast to a reference to one: of the places that are copied, and of those that
// compute looks at.
// pipelinify: launch rows
//   sizes n=0,1,2,3,5
//   grid  2
//   block 64
//   in:   in  [n * 512 + 4] random
//   out:  out [128]
//   n: n
#include <cuda_pipeline.h>

#define VECTOR(x) (reinterpret_cast<float4 &>(x))

__global__ void rows(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float row[256];
    const int tx = threadIdx.x;
    float sum = 0.0f;
    for (int r = 0; r < n; ++r) {
        (float4 &)row[tx * 4] = (const float4 &)in[(r * 2 + blockIdx.x) * 256 + tx * 4];
        __syncthreads();
        for (int q = 0; q < 256; q += 4) {
            float4 v = VECTOR(row[q ^ (tx & 4)]);
            sum = 0.5f * sum + v.x * v.w - v.y * v.z;
        }
        __syncthreads();
    }
    out[blockIdx.x * 64 + tx] = sum;
}

// Of 81 cells a second stage would begin where no vector does.
// pipelinify: launch squares
//   sizes n=0,1,2,3,5
//   grid  2
//   block 64
//   in:   in  [n * 162 + 4] random
//   out:  out [128]
//   n: n
__global__ void squares(const float *__restrict__ in, float *__restrict__ out, int n)
{
    struct __align__(16) square_padded { float tile[81]; };
    __shared__ square_padded square_stage[2];
    const int tx = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 8b8dfd8b
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r_load < n) {
            for (int i = tx; i < 81; i += 64)
                __pipeline_memcpy_async(&square_stage[load_stage].tile[i],
                                        &in[(r_load * 2 + blockIdx.x) * 81 + i], sizeof(float));
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
        for (int q = 0; q < 80; q += 4) {
            float4 v = (float4 &)square_stage[stage].tile[q];
            sum = 0.5f * sum + v.x - v.w * tx;
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + tx] = sum;
}
