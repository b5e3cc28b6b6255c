#include <cuda_runtime.h>

#define LANES 64
#define DEPTH 4

// A tile holds where the rows of a block of neighbours begin, and nothing for those
// that are missing; each lane sums its own column of them.
// pipelinify: launch neighbour_sums
//   sizes    blocks=0,1,2,3,4,6 missing=0,5,63 rows=40
//   target   blocks=4096 missing=0 rows=100000
//   let      LANES = 64
//   let      DEPTH = 4
//   let      n = max(0, blocks * LANES - missing)
//   grid     2
//   block    LANES
//   features:  in  [rows * DEPTH] range(-1, 1)
//   neighbour: in  [blocks * LANES] below(rows)
//   out:     out [2 * LANES]
//   n:       n
__global__ void neighbour_sums(const float *__restrict__ features, const int *__restrict__ neighbour,
                               float *__restrict__ out, int n)
{
    __shared__ const float *row[LANES];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 7702c548
    int first = 0;
    if (first < n) {
        row[lane] = first + lane < n ? features + neighbour[first + lane] * DEPTH : nullptr;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += LANES; first < n; first += LANES) {
            const float * row_next = first + lane < n ? features + neighbour[first + lane] * DEPTH : nullptr;
            for (int j = 0; j < LANES; ++j)
                if (row[j] != nullptr)
                    sum += row[j][lane % DEPTH] * (float)(j + 1);
            __syncthreads();
            row[lane] = row_next;
            __syncthreads();
        }
        for (int j = 0; j < LANES; ++j)
            if (row[j] != nullptr)
                sum += row[j][lane % DEPTH] * (float)(j + 1);
        __syncthreads();
    }
    out[blockIdx.x * LANES + lane] = sum;
}
