// Splats are drawn front to back until all pixels of the block are opaque: the block votes at the
// head of each batch, and what it votes on is what the batch before has left.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define BATCH 256

struct splat {
    float2 at;
    float4 conic;
};

// pipelinify: launch draw
//   sizes    n=1,200,256,257,700,1100
//   target   n=4000
//   grid     7
//   block    256
//   splats:  in  [n] range(0, 1)
//   ranges:  in  [7] below(n)
//   image:   out [7 * 256]
//   width:   64
__global__ void draw(const splat *__restrict__ splats, const int2 *__restrict__ ranges,
                     float *__restrict__ image, int width)
{
    __shared__ splat batch[BATCH];
    const int2 range = ranges[blockIdx.x];
    const int pixel = blockIdx.x * BATCH + threadIdx.x;
    const float px = pixel % width, py = pixel / width;
    float left = 1.f, colour = 0.f;
    bool done = false;

    for (int first = range.x; first < range.y; first += BATCH) {
        const int opaque = __syncthreads_count(done);
        if (opaque == BATCH)
            break;
        if (first + threadIdx.x < range.y)
            batch[threadIdx.x] = splats[first + threadIdx.x];
        __syncthreads();
        for (int i = 0; !done && i < min(BATCH, range.y - first); ++i) {
            const float dx = batch[i].at.x - px, dy = batch[i].at.y - py;
            const float alpha = batch[i].conic.w * __expf(-batch[i].conic.x * dx * dx -
                                                          batch[i].conic.z * dy * dy);
            colour += alpha * left;
            left *= 1.f - alpha;
            done = left < 1e-4f;
        }
    }
    image[pixel] = colour;
}

// All splats, as many as fill batches.
// pipelinify: launch draw_all
//   sizes    n=0,256,512,768,2048
//   target   n=4096
//   block    256
//   splats:  in  [n] range(0, 0.01)
//   image:   out [256]
//   n:       n
__global__ void draw_all(const splat *__restrict__ splats, float *__restrict__ image, int n)
{
    __shared__ splat batch[BATCH];
    float left = 1.f;

    for (int first = 0; first < n; first += BATCH) {
        if (__syncthreads_and(left < 1e-4f))
            break;
        batch[threadIdx.x] = splats[first + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < BATCH; ++i)
            left *= 1.f - batch[i].conic.w;
    }
    image[threadIdx.x] = left;
}

// Rows for keys, until each has its match: the block asks whether some thread still looks.
// pipelinify: launch first_match
//   sizes    rows=0,1,2,3,5,40 span=1,2,300
//   target   rows=5000 span=300
//   grid     3
//   block    64
//   table:   in  [rows * 64] below(span)
//   keys:    in  [3 * 64] below(span)
//   found:   out [3 * 64]
//   rows:    rows
__global__ void __launch_bounds__(64) first_match(const int *__restrict__ table, const int *__restrict__ keys,
                            int *__restrict__ found, int rows)
{
    __shared__ __align__(16) int row_stage[2][64];
    const int lane = threadIdx.x, key = keys[blockIdx.x * 64 + lane];
    const int *at = table, *end = table + rows * 64;
    int match = -1, seen = 0;

    // pipelinify: cp.async, 2 stages, source 85a0a7f1
    if (at != end) {
        // Somebody looks on?
        bool voted = !__syncthreads_or(match < 0);
        if (!voted) {
            int stage = 0;
            if (lane < 16)
                __pipeline_memcpy_async((int4 *)&row_stage[0][lane * 4], (const int4 *)&at[lane * 4], sizeof(int4));
            at += 64;
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();
            // Main loop: copy the next tile while computing on this one.
            while (at != end) {
                if (lane < 16)
                    __pipeline_memcpy_async((int4 *)&row_stage[stage ^ 1][lane * 4], (const int4 *)&at[lane * 4],
                                            sizeof(int4));
                at += 64;
                __pipeline_commit();
                for (int i = 0; i < 64 && match < 0; ++i)
                    if (row_stage[stage][i] == key)
                        match = seen + i;
                seen += 64;
                stage ^= 1;
                __pipeline_wait_prior(0);
                // Somebody looks on?
                voted = !__syncthreads_or(match < 0);
                if (voted)
                    break;
            }
            if (!voted) {
                for (int i = 0; i < 64 && match < 0; ++i)
                    if (row_stage[stage][i] == key)
                        match = seen + i;
                seen += 64;
            }
        }
    }
    found[blockIdx.x * 64 + lane] = match;
}

// Two passes over all; in the second one those that are done begin anew.
// pipelinify: launch passes
//   sizes    n=0,1,127,128,129,300,640 limit=0,1,40
//   target   n=20000 limit=40
//   grid     2
//   block    128
//   x:       in  [n] range(0, 1)
//   order:   in  [n] below(n)
//   y:       out [2 * 128]
//   n:       n
//   limit:   limit
__global__ void __launch_bounds__(128) passes(const float *__restrict__ x, const int *__restrict__ order,
                       float *__restrict__ y, int n, int limit)
{
    __shared__ float part_stage[2][128];
    float sum = blockIdx.x;

    for (int pass = 0; pass < 2; ++pass) {
        bool full = sum > limit;
        // pipelinify: cp.async, 2 stages, source 81f6597a
        int k = 0, left = n, stage = 0;
        if (k < (n + 127) / 128) {
            bool voted = __syncthreads_count(full) >= 128;
            if (!voted) {
                {
                    const int mine = k * 128 + threadIdx.x;
                    if (mine < n) {
                        __pipeline_memcpy_async(&part_stage[0][threadIdx.x], &x[order[mine]], sizeof(float));
                    } else {
                        part_stage[0][threadIdx.x] = 0.f;
                    }
                }
                __pipeline_commit();
                __pipeline_wait_prior(0);
                __syncthreads();
                // Main loop: copy the next tile while computing on this one.
                for (++k, left -= 128; k < (n + 127) / 128; ++k, left -= 128) {
                    {
                        const int mine = k * 128 + threadIdx.x;
                        if (mine < n) {
                            __pipeline_memcpy_async(&part_stage[stage ^ 1][threadIdx.x], &x[order[mine]],
                                                    sizeof(float));
                        } else {
                            part_stage[stage ^ 1][threadIdx.x] = 0.f;
                        }
                    }
                    __pipeline_commit();
                    for (int i = 0; i < 128 && !full; ++i) {
                        sum += part_stage[stage][(i + threadIdx.x) & 127];
                        full = sum > limit + pass;
                    }
                    stage ^= 1;
                    __pipeline_wait_prior(0);
                    voted = __syncthreads_count(full) >= 128;
                    if (voted)
                        break;
                }
                if (!voted) {
                    for (int i = 0; i < 128 && !full; ++i) {
                        sum += part_stage[stage][(i + threadIdx.x) & 127];
                        full = sum > limit + pass;
                    }
                }
            }
        }
        sum *= 0.25f;
    }
    y[blockIdx.x * 128 + threadIdx.x] = sum;
}

// All meet first, and vote then.
// pipelinify: launch meets_first
//   sizes    n=0,64,128,320 limit=0,1,40
//   target   n=65536 limit=40
//   block    64
//   x:       in  [n] range(0, 1)
//   y:       out [64]
//   n:       n
//   limit:   limit
__global__ void __launch_bounds__(64) meets_first(const float *__restrict__ x, float *__restrict__ y, int n, int limit)
{
    __shared__ float part_stage[2][64];
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source bc92f5f4
    int k = 0, stage = 0;
    if (k < n) {
        bool voted = __syncthreads_and(sum > limit);
        if (!voted) {
            __pipeline_memcpy_async(&part_stage[0][threadIdx.x], &x[k + threadIdx.x], sizeof(float));
            __pipeline_commit();
            __pipeline_wait_prior(0);
            __syncthreads();
            // Main loop: copy the next tile while computing on this one.
            for (k += 64; k < n; k += 64) {
                __pipeline_memcpy_async(&part_stage[stage ^ 1][threadIdx.x], &x[k + threadIdx.x], sizeof(float));
                __pipeline_commit();
                for (int i = 0; i < 64 && sum <= limit; ++i)
                    sum += part_stage[stage][(i + threadIdx.x) & 63];
                stage ^= 1;
                __pipeline_wait_prior(0);
                voted = __syncthreads_and(sum > limit);
                if (voted)
                    break;
            }
            if (!voted) {
                for (int i = 0; i < 64 && sum <= limit; ++i)
                    sum += part_stage[stage][(i + threadIdx.x) & 63];
            }
        }
    }
    y[threadIdx.x] = sum;
}
