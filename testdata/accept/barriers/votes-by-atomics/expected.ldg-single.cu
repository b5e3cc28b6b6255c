// Votes and sums that other blocks add to as well: nobody looks at what an atomic gives.
#include <cuda_runtime.h>

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
    __shared__ float2 pts[POINTS];
    const int angle = blockIdx.x * POINTS + threadIdx.x;
    const float slope = 0.03125f * angle;
    const int first = blockIdx.y * share;
    const int end = min(first + share, n);
    // pipelinify: ldg-single, 1 stage, source 7c317a02
    int p0 = first, p0_tile = p0;
    if (p0 < end) {
        auto compute_tile = [&]() {
            const int m = min(POINTS, end - p0_tile);
            for (int j = 0; j < m; ++j) {
                const int bin = (int)((pts[j].x * slope + pts[j].y + 4.f) * 2.f);
                if (bin >= 0 && bin < bins)
                    atomicAdd(&votes[angle * bins + bin], 1u);
            }
        };
        {
            const int m = min(POINTS, end - p0);
            if (threadIdx.x < m)
                pts[threadIdx.x] = points[p0 + threadIdx.x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (p0 += POINTS; p0 < end; p0 += POINTS) {
            float2 pts_next;
            const int m = min(POINTS, end - p0);
            if (threadIdx.x < m)
                pts_next = points[p0 + threadIdx.x];
            compute_tile();
            p0_tile += POINTS;
            __syncthreads();
            if (threadIdx.x < m)
                pts[threadIdx.x] = pts_next;
            __syncthreads();
        }
        compute_tile();
    }
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
    __shared__ T part[W];
    const int row = blockIdx.y * W + threadIdx.x;
    const int width = gridDim.x * W;
    T mine[W];
    for (int k = 0; k < W; ++k)
        mine[k] = row < rows ? w[row * width + blockIdx.x * W + k] : T(0);
    // pipelinify: ldg-single, 1 stage, source aa71ddc2
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    int b = 0, b_tile = b;
    if (b < batch) {
        auto compute_tile = [&]() {
            T sum = 0;
            for (int k = 0; k < W; ++k)
                sum += mine[k] * part[k];
            if (row < rows) {
                atomicAdd(&y[b_tile * rows + row], sum);
                atomicMax(largest + row, sum);
            }
        };
        part[threadIdx.x] = x[b * width + blockIdx.x * W + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++b; b < batch; ++b) {
            T part_next = x[b * width + blockIdx.x * W + threadIdx.x];
            compute_tile();
            ++b_tile;
            __syncthreads();
            part[threadIdx.x] = part_next;
            __syncthreads();
        }
        compute_tile();
    }
}

void run(const int *w, const int *x, int *y, int *largest, int batch, int rows, int slices)
{
    slice_of_rows<32, int><<<dim3(slices, (rows + 31) / 32), 32>>>(w, x, y, largest, batch, rows);
}
