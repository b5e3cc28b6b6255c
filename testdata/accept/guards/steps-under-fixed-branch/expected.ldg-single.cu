// The rows of a band are met forwards or backwards: by an argument of the template, or of
// the kernel. The branch goes the same way for every tile.
#include <cuda_runtime.h>

#define ROW 128

// pipelinify: launch decay<true>
//   sizes    rows=0,1,2,3,5,8
//   target   rows=20000
//   grid     3
//   block    128
//   band:    in  [(rows + 1) * 128] random
//   scan:    out [3 * 128]
//   rows:    rows
// pipelinify: launch decay<false>
//   sizes    rows=0,1,2,3,5,8
//   target   rows=20000
//   grid     3
//   block    128
//   band:    in  [(rows + 1) * 128] random
//   scan:    out [3 * 128]
//   rows:    rows
template <bool BACKWARDS>
__global__ void decay(const float *__restrict__ band, float *__restrict__ scan, int rows)
{
    __shared__ float row[ROW];
    const int lane = threadIdx.x;
    const float *next = BACKWARDS ? band + rows * ROW + lane - (rows > 0 ? ROW : 0) : band + lane;
    float state = 0.f;

    // pipelinify: ldg-single, 1 stage, source 9bca1474
    int r = 0;
    if (r < rows) {
        row[lane] = *next;
        if (BACKWARDS) {
            next -= ROW;
        } else {
            next += ROW;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++r; r < rows; ++r) {
            float row_next = *next;
            for (int k = 0; k < ROW; k += 4)
                state = state * 0.5f + row[(k + lane) % ROW] * row[k];
            __syncthreads();
            row[lane] = row_next;
            if (BACKWARDS) {
                next -= ROW;
            } else {
                next += ROW;
            }
            __syncthreads();
        }
        for (int k = 0; k < ROW; k += 4)
            state = state * 0.5f + row[(k + lane) % ROW] * row[k];
    }
    scan[blockIdx.x * ROW + lane] = state + rows;
}

// pipelinify: launch zigzag
//   sizes    rows=0,1,2,3,5,8 order=0,1,2,3
//   target   rows=20000 order=1
//   block    128
//   band:    in  [(rows * 3 + 8) * 128] random
//   scan:    out [128 + 2]
//   rows:    rows
//   order:   order
__global__ void zigzag(const float *__restrict__ band, float *__restrict__ scan, int rows, int order)
{
    __shared__ float row[ROW];
    const int lane = threadIdx.x;
    int at = order > 1 ? rows * 3 : 0, met = 0;
    float state = 0.f;

    // pipelinify: ldg-single, 1 stage, source 4b78795a
    int r = 0, at_tile = at, met_tile = met;
    if (r < rows) {
        auto compute_tile = [&]() {
            for (int k = 0; k < ROW; k += 4)
                state = state * 0.5f + row[(k + lane) % ROW] * (met_tile & 7);
            // Which way is said once for the launch.
            if (order > 1) {
                at_tile -= 1;
                if (order == 3)
                    at_tile -= 2, met_tile += 3;
            } else if (order == 1)
                at_tile += 3;
            else {
                ++at_tile;
                met_tile -= 1;
            }
        };
        row[lane] = band[at * ROW + lane];
        // Which way is said once for the launch.
        if (order > 1) {
            at -= 1;
            if (order == 3)
                at -= 2, met += 3;
        } else if (order == 1)
            at += 3;
        else {
            ++at;
            met -= 1;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (r += 1; r < rows; r += 1) {
            float row_next = band[at * ROW + lane];
            compute_tile();
            __syncthreads();
            row[lane] = row_next;
            // Which way is said once for the launch.
            if (order > 1) {
                at -= 1;
                if (order == 3)
                    at -= 2, met += 3;
            } else if (order == 1)
                at += 3;
            else {
                ++at;
                met -= 1;
            }
            __syncthreads();
        }
        compute_tile();
    }
    scan[lane] = state;
    if (lane == 0) {
        scan[ROW] = at;
        scan[ROW + 1] = met;
    }
}
