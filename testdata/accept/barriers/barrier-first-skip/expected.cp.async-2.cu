// Range counts over sorted chunks: a chunk whose bounds miss the query's is passed over; the barrier comes first.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr int CHUNK = 128;

// pipelinify: launch count_near
//   sizes  chunks=0,1,2,3,6,9 queries=1,4
//   target chunks=4096 queries=1024
//   grid   queries
//   block  128
//   points: in  [chunks * 128] range(-20, 20)
//   bounds: in  [chunks * 2] range(-20, 20)
//   centre: in  [queries] range(-20, 20)
//   radius: 6.5f
//   count:  out [queries * 128]
//   chunks: chunks
__global__ void count_near(const float* __restrict__ points, const float2* __restrict__ bounds,
                           const float* __restrict__ centre, float radius,
                           int* __restrict__ count, int chunks)
{
    __shared__ float chunk_stage[2][CHUNK];
    const float c = centre[blockIdx.x];
    int n = 0;

    // pipelinify: cp.async, 2 stages, source cd6fbcf4
    int i = 0, i_load = i, stage = 0;
    bool more = true;
    for (int load_stage = 0; load_stage < 1; ++load_stage) {
        auto &i = i_load;
        if (more) {
            more = false;
            for (; i < chunks; ++i) {
                const float2 b = bounds[i];
                if (b.x > c + radius || b.y < c - radius)
                    continue;
                more = true;
                break;
            }
        }
        if (more) {
            if (load_stage == 0)
                __syncthreads();
            __pipeline_memcpy_async(&chunk_stage[load_stage][threadIdx.x], &points[i * CHUNK + threadIdx.x],
                                    sizeof(float));
            ++i;
        }
        __pipeline_commit();
    }
    // Main loop: 1 tile is in flight while computing on one.
    for (; i < chunks; ++i) {
        const float2 b = bounds[i];
        if (b.x > c + radius || b.y < c - radius)
            continue;
        __pipeline_wait_prior(0);
        __syncthreads();
        {
            auto &i = i_load;
            if (more) {
                more = false;
                for (; i < chunks; ++i) {
                    const float2 b = bounds[i];
                    if (b.x > c + radius || b.y < c - radius)
                        continue;
                    more = true;
                    break;
                }
            }
            if (more) {
                int load_stage = stage ^ 1;
                __pipeline_memcpy_async(&chunk_stage[load_stage][threadIdx.x], &points[i * CHUNK + threadIdx.x],
                                        sizeof(float));
                ++i;
            }
        }
        __pipeline_commit();
        for (int j = 0; j < CHUNK; ++j)
            n += fabsf(chunk_stage[stage][j] - c) < radius && (j + threadIdx.x) % 3 != 0 ? i + 1 : 0;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    count[blockIdx.x * CHUNK + threadIdx.x] = n;
}
