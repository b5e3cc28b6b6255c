// Directed Hausdorff distance: the tile is declared inside of the loop, the maximum goes out by an integer atomicMax.
#include <cuda_runtime.h>
#include <cfloat>

constexpr int THREADS = 128;

// pipelinify: launch directed_hausdorff
//   sizes    na=128 nb=0,1,127,128,129,256,384,512,640
//   sizes    na=100 nb=300
//   sizes    na=1,2,3 nb=640,1152
//   target   na=262144 nb=65536
//   requires na > 0
//   grid     (na + 127) / 128
//   block    128
//   a:       in [na] random
//   b:       in [nb] random
//   na:      na
//   nb:      nb
//   result:  inout [1] const(0)
__global__ void directed_hausdorff(const double2 *a, const double2 *b, int na, int nb, unsigned *result) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    double2 p = a[min(i, na - 1)];
    double nearest = DBL_MAX;

    for (int tile = 0; tile * THREADS < nb; tile++) {
        __shared__ double2 pts[THREADS];
        // repeat the last point instead of a guard
        pts[threadIdx.x] = b[min(tile * THREADS + (int)threadIdx.x, nb - 1)];
        __syncthreads();
        for (int k = 0; k < THREADS; k++) {
            double dx = pts[k].x - p.x, dy = pts[k].y - p.y;
            nearest = fmin(nearest, dx * dx + dy * dy);
        }
        __syncthreads();
    }

    // nonnegative floats compare as their bits do
    atomicMax(result, __float_as_uint((float)sqrt(nearest)));
}
