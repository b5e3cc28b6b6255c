// Votes and sums that other blocks add to as well: nobody looks at what an atomic gives.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define POINTS 64

// Hough transform of edge points: a thread has an angle, a block of y a share of the points.
// pipelinify: launch hough_votes
//   sizes    n=0,1,63,64,65,200,515 share=64,130,1000 bins=16
//   target   n=1000000 share=62500 bins=512
//   grid     3, (n + share - 1) / share + 1
//   block    POINTS
//   let      POINTS = 64
//   points:  in [n] range(-1, 1)
//   votes:   inout [3 * POINTS * bins] below(5)
//   n:       n
//   share:   share
//   bins:    bins
__global__ void hough_votes(const float2 *__restrict__ points, unsigned *__restrict__ votes,
                            int n, int share, int bins)
{
    constexpr int stages = 8;
    __shared__ float2 pts_stage[stages][POINTS];
    const int angle = blockIdx.x * POINTS + threadIdx.x;
    const float slope = 0.03125f * angle;
    const int first = blockIdx.y * share;
    const int end = min(first + share, n);
    // pipelinify: cp.async, 8 stages, source 7c317a02
    int p0_load = first, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (p0_load < end) {
            const int m = min(POINTS, end - p0_load);
            if (threadIdx.x < m)
                __pipeline_memcpy_async(&pts_stage[load_stage][threadIdx.x],
                                        &points[p0_load + threadIdx.x], sizeof(float2));
            p0_load += POINTS;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int p0 = first; p0 < end; p0 += POINTS) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const int m = min(POINTS, end - p0);
        for (int j = 0; j < m; ++j) {
            const int bin =
                (int)((pts_stage[stage][j].x * slope + pts_stage[stage][j].y + 4.f) * 2.f);
            if (bin >= 0 && bin < bins)
                atomicAdd(&votes[angle * bins + bin], 1u);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
}

// A slice of an integer matrix stays in registers while the vectors of a batch stream
// past it; the slices of a row add up in memory, and its largest term is kept beside it.
// pipelinify: launch slice_of_rows<32, int>
//   sizes    batch=0,1,2,3,4,7,12 slices=1,3 rows=32,50
//   target   batch=4096 slices=32 rows=4096
//   grid     slices, (rows + 31) / 32
//   block    32
//   w:       in [rows * slices * 32] range(-9, 9)
//   x:       in [batch * slices * 32] range(-9, 9)
//   y:       inout [batch * rows + 1] range(0, 1)
//   largest: inout [rows] range(-100, 0)
//   batch:   batch
//   rows:    rows
template <int W, typename T>
__global__ void slice_of_rows(const T *__restrict__ w, const T *__restrict__ x, T *__restrict__ y,
                              T *__restrict__ largest, int batch, int rows)
{
    constexpr int stages = 4;
    __shared__ T part_stage[stages][W];
    const int row = blockIdx.y * W + threadIdx.x;
    const int width = gridDim.x * W;
    T mine[W];
    for (int k = 0; k < W; ++k)
        mine[k] = row < rows ? w[row * width + blockIdx.x * W + k] : T(0);
    // pipelinify: cp.async, 4 stages, source aa71ddc2
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) &&
                  (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int b_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (b_load < batch) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x],
                                    &x[b_load * width + blockIdx.x * W + threadIdx.x], sizeof(T));
            ++b_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int b = 0; b < batch; ++b) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        T sum = 0;
        for (int k = 0; k < W; ++k)
            sum += mine[k] * part_stage[stage][k];
        if (row < rows) {
            atomicAdd(&y[b * rows + row], sum);
            atomicMax(largest + row, sum);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
}

void run(const int *w, const int *x, int *y, int *largest, int batch, int rows, int slices)
{
    slice_of_rows<32, int><<<dim3(slices, (rows + 31) / 32), 32>>>(w, x, y, largest, batch, rows);
}
