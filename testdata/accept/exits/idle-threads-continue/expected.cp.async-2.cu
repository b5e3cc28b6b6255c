// Threads that have nothing to look for stay for the barriers, and pass by the use of each tile.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch nearest
//   sizes    n=1,127,128,200 centres=0,1,128,129,400
//   target   n=65536 centres=4096
//   grid     (n + 127) / 128
//   block    128
//   points:  in  [n]
//   where:   in  [centres + 1]
//   best:    out [n]
//   n:       n
//   centres: centres
__global__ void nearest(const float *__restrict__ points, const float *__restrict__ where, int *__restrict__ best,
                        int n, int centres)
{
    __shared__ float tile_stage[2][128];
    const int i = blockIdx.x * 128 + threadIdx.x;
    const float x = i < n ? points[i] : 0.f;
    const bool idle = i >= n || x != x;
    float least = 3e38f;
    int which = -1;
    // pipelinify: cp.async, 2 stages, source bf035c9a
    int first_load = 0, stage = 0;
    if (first_load < centres) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (first_load < centres) {
            if (first_load + threadIdx.x < centres) {
                __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &where[first_load + threadIdx.x],
                                        sizeof(float));
            } else {
                tile_stage[load_stage][threadIdx.x] = 3e38f;
            }
            first_load += 128;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int first = 0; first < centres; first += 128) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        if (!(idle)) {
        // the nearest of them
        for (int c = 0; c < 128; ++c) {
            const float d = (tile_stage[stage][c] - x) * (tile_stage[stage][c] - x);
            if (d < least) {
                least = d;
                which = first + c;
            }
        }
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (i < n)
        best[i] = which;
}

// Two questions, and a step of the body's own ahead of them, which all threads take.
//
// pipelinify: launch matches
//   sizes    n=1,63,64,100 words=0,1,2,5
//   target   n=65536 words=512
//   grid     (n + 63) / 64
//   block    64
//   keys:    in  [n] below(10)
//   text:    in  [words * 64] below(10)
//   found:   out [n]
//   n:       n
//   words:   words
__global__ void matches(const int *__restrict__ keys, const int *__restrict__ text, int *__restrict__ found, int n,
                        int words)
{
    __shared__ int word_stage[2][64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    const int key = i < n ? keys[i] : -1;
    int count = 0, seen = 0;
    // pipelinify: cp.async, 2 stages, source 59c13d03
    int w_load = 0, stage = 0;
    if (w_load < words) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (w_load < words) {
            __pipeline_memcpy_async(&word_stage[load_stage][threadIdx.x], &text[w_load * 64 + threadIdx.x],
                                    sizeof(int));
            w_load++;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int w = 0; w < words; w++) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        if (!(key < 0)) {
        const int half = 32 * (w & 1);
        seen += half;
        if (!(word_stage[stage][half] == key)) {
        for (int k = 0; k < 32; k++)
            count += word_stage[stage][half + k] == key;
        }
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (i < n)
        found[i] = count + 1000 * seen;
}
