// Nearest neighbours by brute force. A tile of points is one row of features after the other, and
// the last tile is short: what is read of it is what two inner loops say together.
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
    __shared__ float tile[POINTS * DIM];

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

    // pipelinify: ldg-single, 1 stage, source 3215f1e6
    int start = 0, start_tile = start;
    if (start < points) {
        auto compute_tile = [&]() {
            const int count = min(POINTS, points - start_tile);

            for (int r = 0; r < count; ++r) {
                float d2 = 0.f;
                for (int d = 0; d < DIM; ++d) {
                    const float diff = mine[d] - tile[r * DIM + d];
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
                who[at] = start_tile + r;
            }
        };
        {
            const int count = min(POINTS, points - start);
            for (int e = threadIdx.x; e < count * DIM; e += blockDim.x)
                tile[e] = reference[start * DIM + e];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (start += POINTS; start < points; start += POINTS) {
            float tile_next[8];
            const int count = min(POINTS, points - start);
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = threadIdx.x + slot * blockDim.x;
                if (e < count * DIM)
                    tile_next[slot] = reference[start * DIM + e];
            }
            compute_tile();
            start_tile += POINTS;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = threadIdx.x + slot * blockDim.x;
                if (e < count * DIM)
                    tile[e] = tile_next[slot];
            }
            // What has not been fetched ahead.
            for (int e = threadIdx.x + 8 * blockDim.x; e < count * DIM; e += blockDim.x)
                tile[e] = reference[start * DIM + e];
            __syncthreads();
        }
        compute_tile();
    }

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
    __shared__ double part[ROWS * GROUPS * 4];
    double sum = 0;

    // pipelinify: ldg-single, 1 stage, source 43843291
    int first = blockIdx.x * ROWS, first_tile = first;
    if (first < rows) {
        auto compute_tile = [&]() {
            const int left = rows - first_tile, here = left < ROWS ? left : ROWS;
            for (int r = 0; r < here; ++r)
                for (int g = 0; g <= 8; g += 4)
                    for (int k = 0; k < 4; ++k)
                        sum += part[r * 12 + g + k] * weight[(g + k + threadIdx.x) % 12];
        };
        {
            const int left = rows - first, here = left < ROWS ? left : ROWS;
            for (int i = threadIdx.x; i < here * GROUPS * 4; i += 64)
                part[i] = x[first * (GROUPS * 4) + i];
        }
        first += gridDim.x * ROWS;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; first < rows; first += gridDim.x * ROWS) {
            double part_next[6];
            const int left = rows - first, here = left < ROWS ? left : ROWS;
            #pragma unroll
            for (int slot = 0; slot < 6; ++slot) {
                int i = threadIdx.x + slot * 64;
                if (i < here * GROUPS * 4)
                    part_next[slot] = x[first * (GROUPS * 4) + i];
            }
            compute_tile();
            first_tile += gridDim.x * ROWS;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 6; ++slot) {
                int i = threadIdx.x + slot * 64;
                if (i < here * GROUPS * 4)
                    part[i] = part_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
    }
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
