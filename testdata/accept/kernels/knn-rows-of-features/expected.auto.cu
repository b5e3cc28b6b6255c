// Nearest neighbours by brute force. A tile of points is one row of features after the other, and
// the last tile is short: what is read of it is what two inner loops say together.
#include <cuda_pipeline.h>

#define DIM 8
#define POINTS 64
#define NEAREST 4

// pipelinify: launch nearest
//   sizes    queries=70 points=0,4,64,65,128,200,300
//   target   queries=65536 points=65536
//   grid     (queries + 63) / 64
//   block    64
//   query:     in  [queries * 8] random
//   reference: in  [points * 8] random
//   distance:  out [queries * 4]
//   index:     out [queries * 4]
//   queries:   queries
//   points:    points
__global__ void nearest(const float *__restrict__ query, const float *__restrict__ reference,
                        float *__restrict__ distance, int *__restrict__ index, int queries, int points)
{
    constexpr int stages = 3;
    __shared__ __align__(16) float tile_stage[stages][POINTS * DIM];

    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    float mine[DIM];
    for (int d = 0; d < DIM; ++d)
        mine[d] = q < queries ? query[q * DIM + d] : 0.f;

    float best[NEAREST];
    int who[NEAREST];
    for (int i = 0; i < NEAREST; ++i) {
        best[i] = 3.4e38f;
        who[i] = -1;
    }

    // pipelinify: cp.async, 3 stages, source 3215f1e6
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = DIM % 4 == 0 && (POINTS * DIM) % 4 == 0 && (size_t)reference % 16 == 0;
    int start_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (start_load < points) {
            const int count = min(POINTS, points - start_load);
            if (joined) {
                for (int e = 4 * threadIdx.x; e < count * DIM; e += 4 * blockDim.x)
                    __pipeline_memcpy_async(&tile_stage[load_stage][e], &reference[start_load * DIM + e], 16);
            } else {
                for (int e = threadIdx.x; e < count * DIM; e += blockDim.x)
                    __pipeline_memcpy_async(&tile_stage[load_stage][e], &reference[start_load * DIM + e],
                                            sizeof(float));
            }
            start_load += POINTS;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int start = 0; start < points; start += POINTS) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const int count = min(POINTS, points - start);

        for (int r = 0; r < count; ++r) {
            float d2 = 0.f;
            for (int d = 0; d < DIM; ++d) {
                const float diff = mine[d] - tile_stage[stage][r * DIM + d];
                d2 += diff * diff;
            }
            if (d2 >= best[NEAREST - 1])
                continue;
            int at = NEAREST - 1;
            for (; at > 0 && best[at - 1] > d2; --at) {
                best[at] = best[at - 1];
                who[at] = who[at - 1];
            }
            best[at] = d2;
            who[at] = start + r;
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);

    for (int i = 0; q < queries && i < NEAREST; ++i) {
        distance[q * NEAREST + i] = best[i];
        index[q * NEAREST + i] = who[i];
    }
}

// Rows of twelve numbers in groups of four: three inner loops, of which one counts in fours.
// pipelinify: launch row_energy
//   sizes    rows=1,31,32,33,64,100,200,330
//   target   rows=1048576
//   grid     2
//   block    64
//   x:       in  [rows * 12 + 12] random
//   weight:  in  [12] random
//   energy:  out [2 * 64]
//   rows:    rows
__global__ void row_energy(const double *__restrict__ x, const double *__restrict__ weight,
                           double *__restrict__ energy, int rows)
{
    constexpr int ROWS = 32, GROUPS = 3;
    constexpr int stages = 8;
    __shared__ __align__(16) double part_stage[stages][ROWS * GROUPS * 4];
    double sum = 0;

    // pipelinify: cp.async, 8 stages, source 43843291
    // Whether 2 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 64 && (size_t)x % 16 == 0;
    int first_load = blockIdx.x * ROWS, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (first_load < rows) {
            const int left = rows - first_load, here = left < ROWS ? left : ROWS;
            if (joined) {
                for (int i = 2 * threadIdx.x; i < here * GROUPS * 4; i += 2 * 64)
                    __pipeline_memcpy_async(&part_stage[load_stage][i], &x[first_load * (GROUPS * 4) + i], 16);
            } else {
                for (int i = threadIdx.x; i < here * GROUPS * 4; i += 64)
                    __pipeline_memcpy_async(&part_stage[load_stage][i], &x[first_load * (GROUPS * 4) + i],
                                            sizeof(double));
            }
            first_load += gridDim.x * ROWS;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int first = blockIdx.x * ROWS; first < rows; first += gridDim.x * ROWS) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const int left = rows - first, here = left < ROWS ? left : ROWS;
        for (int r = 0; r < here; ++r)
            for (int g = 0; g <= 8; g += 4)
                for (int k = 0; k < 4; ++k)
                    sum += part_stage[stage][r * 12 + g + k] * weight[(g + k + threadIdx.x) % 12];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    energy[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Here the innermost loop reads one number of the row behind: of the last row, that is what an
// earlier tile left there.
// pipelinify: launch row_differences
//   sizes    rows=1,16,17,32,40
//   target   rows=1048576
//   grid     1
//   block    64
//   x:       in  [rows * 8] random
//   out:     out [64]
//   rows:    rows
__global__ void row_differences(const float *__restrict__ x, float *__restrict__ out, int rows)
{
    __shared__ float tile[17 * DIM];
    float sum = 0.f;
    for (int i = threadIdx.x; i < 17 * DIM; i += 64)
        tile[i] = 0.f;
    __syncthreads();
    // pipelinify: ldg-single, 1 stage, source 38b71596
    int first = 0, first_tile = first;
    if (first < rows) {
        auto compute_tile = [&]() {
            const int count = min(16, rows - first_tile);
            for (int r = 0; r < count; ++r)
                for (int d = 0; d < DIM; ++d)
                    sum += fabsf(tile[r * DIM + d + 1] - tile[r * DIM + d]) * (d + 1 + threadIdx.x);
        };
        {
            const int count = min(16, rows - first);
            for (int e = threadIdx.x; e < count * DIM; e += 64)
                tile[e] = x[first * DIM + e];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 16; first < rows; first += 16) {
            float tile_next[3];
            const int count = min(16, rows - first);
            #pragma unroll
            for (int slot = 0; slot < 3; ++slot) {
                int e = threadIdx.x + slot * 64;
                if (e < count * DIM)
                    tile_next[slot] = x[first * DIM + e];
            }
            compute_tile();
            first_tile += 16;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 3; ++slot) {
                int e = threadIdx.x + slot * 64;
                if (e < count * DIM)
                    tile[e] = tile_next[slot];
            }
            // What has not been fetched ahead.
            for (int e = threadIdx.x + 3 * 64; e < count * DIM; e += 64)
                tile[e] = x[first * DIM + e];
            __syncthreads();
        }
        compute_tile();
    }
    out[threadIdx.x] = sum;
}
